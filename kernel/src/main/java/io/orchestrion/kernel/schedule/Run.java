package io.orchestrion.kernel.schedule;

import io.orchestrion.kernel.work.Submitted;

import java.util.UUID;

/// What came of asking a schedule for a task at once.
public sealed interface Run {
    record Done(ScheduleView view, UUID taskId) implements Run {}

    /// The plan does not allow another task.
    record OverQuota(Submitted.OverQuota why) implements Run {}

    /// Its type takes nothing new.
    record Draining(String type) implements Run {}

    record NotFound() implements Run {}
}
