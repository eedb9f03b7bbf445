package io.orchestrion.sdk;

import java.time.Instant;

/// A period for which a plan is paid.
public record PlanPeriod(String plan, Instant from, Instant until) {}
