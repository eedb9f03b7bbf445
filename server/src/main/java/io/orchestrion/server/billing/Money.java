package io.orchestrion.server.billing;

import java.math.BigDecimal;

/// An exact amount. Two of them are equal only in the same currency.
///
/// @param cents hundredths of the currency's unit
public record Money(long cents, String currency) {
    public static final String USD = "USD";

    /// @throws ArithmeticException for a fraction of a cent
    public static Money of(BigDecimal amount, String currency) {
        return new Money(amount.movePointRight(2).longValueExact(), currency);
    }

    public BigDecimal amount() {
        return BigDecimal.valueOf(cents, 2);
    }

    /// `9.99`, as a provider wants it.
    public String exact() {
        return amount().toPlainString();
    }

    @Override
    public String toString() {
        return exact() + " " + currency;
    }
}
