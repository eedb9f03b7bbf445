package io.orchestrion.kernel.schedule;

import io.orchestrion.kernel.work.Submitted;

import java.util.UUID;

/// The outcome of asking a schedule for a task at once.
public sealed interface FiredNow {
    record Done(ScheduleView view, UUID taskId) implements FiredNow {}

    /// The plan does not allow another task.
    record OverQuota(Submitted.OverQuota why) implements FiredNow {}

    /// Its type takes nothing new.
    record Draining(String type) implements FiredNow {}

    record NotFound() implements FiredNow {}
}
