package io.orchestrion.sdk;

import java.time.Instant;

/// A stretch of time for which a plan was paid.
public record PlanPeriod(String plan, Instant from, Instant until) {}
