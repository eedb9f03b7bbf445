package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// A purchase that is paid.
///
/// @param plan the plan in force: the highest of those paid for, so not always the one bought
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
