package io.orchestrion.runs.credit;

import java.math.BigDecimal;
import java.util.UUID;

/// What an attempt of a step used.
///
/// @param attempt of the run
/// @param cost by the prices
/// @param charged the part of the cost that the reservation of the run pays; the rest is overage
public record Usage(
        UUID run, int attempt, UUID stepAttempt, long tokens, BigDecimal cost, BigDecimal charged) {
    public Usage {
        cost = Prices.stored(cost);
        charged = Prices.stored(charged);
        if (charged.compareTo(cost) > 0 || charged.signum() < 0) {
            throw new IllegalArgumentException("charged " + charged + " of " + cost);
        }
    }
}
