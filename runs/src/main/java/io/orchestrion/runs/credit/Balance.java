package io.orchestrion.runs.credit;

import java.math.BigDecimal;

/// The credits of an account.
///
/// @param balance what was granted or given back and is not charged
/// @param reserved the part of it that runs have reserved
public record Balance(BigDecimal balance, BigDecimal reserved) {
    /// What the next run can reserve.
    public BigDecimal available() {
        return balance.subtract(reserved);
    }
}
