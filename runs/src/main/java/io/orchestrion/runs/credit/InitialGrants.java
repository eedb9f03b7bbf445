package io.orchestrion.runs.credit;

import io.orchestrion.kernel.identity.Identity;

import java.math.BigDecimal;
import java.util.UUID;

/// The credits that an account gets once, without being asked.
///
/// @param operator for the account of the server's operator
/// @param others for every other account
public record InitialGrants(BigDecimal operator, BigDecimal others) {
    public static final InitialGrants NONE = new InitialGrants(BigDecimal.ZERO, BigDecimal.ZERO);
    public static final InitialGrants DEFAULT =
            new InitialGrants(new BigDecimal(1_000_000), new BigDecimal(1_000));

    public InitialGrants {
        operator = checked(operator);
        others = checked(others);
    }

    private static BigDecimal checked(BigDecimal amount) {
        if (amount.signum() < 0 || amount.compareTo(Ledger.AMOUNT_MAX) > 0) {
            throw new IllegalArgumentException("an initial grant is out of bounds: " + amount);
        }
        return Prices.stored(amount);
    }

    BigDecimal of(UUID account) {
        return account.equals(Identity.LOCAL_ACCOUNT) ? operator : others;
    }
}
