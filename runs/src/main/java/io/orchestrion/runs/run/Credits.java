package io.orchestrion.runs.run;

import java.math.BigDecimal;

/// The credits of the current attempt of a run.
///
/// @param charged what steps have used so far, never more than was reserved
/// @param held for steps that are in flight
/// @param over what was used beyond the reservation
/// @param shortOf whether a step waits for credits that another one may give back
public record Credits(
        BigDecimal reserved,
        BigDecimal charged,
        BigDecimal refunded,
        BigDecimal held,
        BigDecimal over,
        boolean shortOf) {
    public static final Credits NONE =
            new Credits(
                    BigDecimal.ZERO,
                    BigDecimal.ZERO,
                    BigDecimal.ZERO,
                    BigDecimal.ZERO,
                    BigDecimal.ZERO,
                    false);

    /// At the beginning of an attempt.
    public static Credits reserved(BigDecimal amount) {
        return new Credits(
                amount, BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO, false);
    }

    /// What is neither used nor held.
    public BigDecimal free() {
        return reserved.subtract(charged).subtract(held);
    }

    /// What was not used.
    public BigDecimal left() {
        return reserved.subtract(charged);
    }

    /// With so much more used. What the reservation does not pay is noted apart.
    public Credits using(BigDecimal cost) {
        BigDecimal paid = cost.min(left());
        return new Credits(
                reserved,
                charged.add(paid),
                refunded,
                held,
                over.add(cost.subtract(paid)),
                shortOf);
    }

    /// With so much more held, or less where it is negative.
    public Credits holding(BigDecimal more) {
        return new Credits(
                reserved, charged, refunded, held.add(more).max(BigDecimal.ZERO), over, shortOf);
    }

    public Credits shortOf(boolean now) {
        return new Credits(reserved, charged, refunded, held, over, now);
    }

    /// At the end of an attempt, when the rest goes back.
    public Credits settled() {
        return new Credits(reserved, charged, left(), BigDecimal.ZERO, over, false);
    }
}
