package io.orchestrion.kernel.plan;

import java.math.BigDecimal;
import java.time.Duration;

/// What an account may use. A plan is bought for a period; an account without one is on the free
/// plan.
///
/// @param priceUsd with two decimals; zero for a plan that is not sold
/// @param maxWorkers live leases at once
/// @param purchasable whether checkout sells it
public record Plan(
        String id,
        String name,
        BigDecimal priceUsd,
        int maxWorkers,
        int maxTasksPerMonth,
        int maxClaimsPerHour,
        int maxCreatesPerHour,
        int retentionDays,
        boolean purchasable) {

    public static final String FREE_ID = "free";
    public static final String UNLIMITED_ID = "unlimited";

    /// How long one purchase lasts.
    public static final Duration PERIOD = Duration.ofDays(30);

    /// The operator's own: nothing is counted, so nothing is refused.
    public static final Plan UNLIMITED =
            new Plan(
                    UNLIMITED_ID,
                    "Unlimited",
                    BigDecimal.ZERO,
                    Integer.MAX_VALUE,
                    Integer.MAX_VALUE,
                    Integer.MAX_VALUE,
                    Integer.MAX_VALUE,
                    0,
                    false);

    public boolean unlimited() {
        return id.equals(UNLIMITED_ID);
    }

    /// Whether it costs something, and so whether its keys stand outside the limits by address.
    public boolean paid() {
        return priceUsd.signum() > 0 || unlimited();
    }
}
