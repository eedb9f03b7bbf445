package io.orchestrion.sdk;

import java.math.BigDecimal;

/// A plan that the server offers; from [Billing#plans].
///
/// @param priceUsd the price in US dollars
/// @param maxWorkers how many leases may be live at once
/// @param maxTasksPerMonth how many tasks may be created in a month
/// @param retentionDays how long ended tasks are kept
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
