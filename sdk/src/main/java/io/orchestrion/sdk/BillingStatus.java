package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// How an account stands. A number is null where the plan has no such limit.
///
/// @param plan the plan in force
/// @param planExpiresAt when the last paid period ends; null when none runs
/// @param periods the one that runs and those ahead
/// @param monthEnd when the count of tasks starts anew
/// @param tasksThisMonth what was counted
public record BillingStatus(
        String plan,
        @Nullable Instant planExpiresAt,
        List<PlanPeriod> periods,
        Instant monthStart,
        Instant monthEnd,
        @Nullable Long tasksThisMonth,
        long activeWorkers,
        @Nullable Long maxWorkers,
        @Nullable Long maxTasksPerMonth,
        @Nullable Long maxClaimsPerHour,
        @Nullable Long maxCreatesPerHour,
        @Nullable Long retentionDays,
        @Nullable Long tasksRemaining,
        @Nullable Long workersRemaining) {
    public BillingStatus {
        periods = List.copyOf(periods);
    }
}
