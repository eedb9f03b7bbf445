package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// The plan, usage and limits of an account; from [Billing#status]. A limit is null if the plan has
/// none.
///
/// @param plan the plan in force
/// @param planExpiresAt when the last paid period ends; null if none is running
/// @param periods the running period and those after it
/// @param monthEnd when the count of tasks starts again at 0
/// @param tasksThisMonth how many tasks were counted
/// @param activeWorkers how many leases are live
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
