package io.orchestrion.jobs;

import io.orchestrion.kernel.work.Fence;

import org.jspecify.annotations.Nullable;

/// A job in a runner's hands.
///
/// @param fence proves that the lease it speaks of is the current one
/// @param leaseMs how long it lasts without a heartbeat
/// @param timeoutMs how long the attempt may run, before any time scale
/// @param trace the trace that the job was submitted in
public record Assigned(
        Job job, Fence fence, long leaseMs, long timeoutMs, @Nullable String trace) {}
