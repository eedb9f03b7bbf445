package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// A purchase that is paid; from [Billing#verify].
///
/// @param purchasedPlan the plan that was bought
/// @param plan the plan in force: the highest of those that are paid for, so not always the one
///     that was bought
/// @param periods the running period and those after it
public record PlanActivation(
        UUID purchaseId,
        String purchasedPlan,
        String plan,
        @Nullable Instant planExpiresAt,
        List<PlanPeriod> periods) {
    public PlanActivation {
        periods = List.copyOf(periods);
    }
}
