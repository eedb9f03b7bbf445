package io.orchestrion.server.runs;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;

/// Amounts of credits as answers show them: without zeros at the end, and never with an exponent.
public final class Amounts {
    private Amounts() {}

    public static @Nullable BigDecimal plain(@Nullable BigDecimal amount) {
        if (amount == null) {
            return null;
        }
        BigDecimal stripped = amount.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }
}
