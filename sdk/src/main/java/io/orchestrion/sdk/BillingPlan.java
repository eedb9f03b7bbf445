package io.orchestrion.sdk;

import java.math.BigDecimal;

/// A plan as the server offers it.
///
/// @param maxWorkers live leases at once
/// @param purchasable whether a checkout sells it
public record BillingPlan(
        String id,
        String name,
        BigDecimal priceUsd,
        long maxWorkers,
        long maxTasksPerMonth,
        long maxClaimsPerHour,
        long maxCreatesPerHour,
        long retentionDays,
        boolean purchasable) {}
