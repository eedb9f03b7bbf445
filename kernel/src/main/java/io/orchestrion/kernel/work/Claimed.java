package io.orchestrion.kernel.work;

import java.util.List;

/// What a claim got, best first, and the time of the lease; empty when there was nothing.
public record Claimed(List<WorkView> items, long nowMs) {}
