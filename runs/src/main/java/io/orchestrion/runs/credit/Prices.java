package io.orchestrion.runs.credit;

import java.math.BigDecimal;
import java.math.RoundingMode;

/// What work costs, in credits.
///
/// @param perToken so much for each token that a step reports
/// @param minimumPerStep the least that a completed step costs, also when it reports no tokens
/// @param minimumPerAttempt what must be available before a run is tried once more
public record Prices(BigDecimal perToken, BigDecimal minimumPerStep, BigDecimal minimumPerAttempt) {
    /// How many places after the point are stored.
    public static final int SCALE = 6;

    public static final Prices DEFAULT =
            new Prices(new BigDecimal("0.001"), new BigDecimal("0.01"), BigDecimal.TEN);

    public Prices {
        check(perToken);
        check(minimumPerStep);
        check(minimumPerAttempt);
    }

    private static void check(BigDecimal price) {
        if (price.signum() < 0) {
            throw new IllegalArgumentException("a price is negative: " + price);
        }
    }

    /// What a run that may use so many tokens has to reserve.
    public BigDecimal reservation(long maxTokens) {
        return ofTokens(maxTokens);
    }

    /// What an attempt of a step costs that is over.
    ///
    /// @param completed whether it did its work; an attempt that failed costs its tokens alone
    public BigDecimal cost(long tokens, boolean completed) {
        BigDecimal used = ofTokens(tokens);
        return completed ? used.max(stored(minimumPerStep)) : used;
    }

    private BigDecimal ofTokens(long tokens) {
        return stored(perToken.multiply(BigDecimal.valueOf(tokens)));
    }

    /// With as many places as are stored.
    static BigDecimal stored(BigDecimal amount) {
        return amount.setScale(SCALE, RoundingMode.HALF_UP);
    }
}
