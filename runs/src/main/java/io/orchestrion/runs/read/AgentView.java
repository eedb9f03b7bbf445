package io.orchestrion.runs.read;

import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.plan.ParallelismMode;
import io.orchestrion.runs.state.AgentStatus;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// An agent as people see it.
///
/// @param mode of its tasks
public record AgentView(
        UUID id,
        UUID run,
        Place place,
        String subtask,
        AgentStatus status,
        FailureMode failureMode,
        ParallelismMode mode,
        Tasks tasks,
        Lived lived,
        @Nullable Trouble trouble) {

    /// Which of the run's agents it is.
    ///
    /// @param attempt of the run
    /// @param planVersion of the plan that it is in; of a planner, of the plan before
    /// @param planner whether it makes a plan
    /// @param superseded whether another plan has taken its place
    public record Place(
            int attempt, int planVersion, int sequence, boolean planner, boolean superseded) {}

    /// @param begun how often it was begun from its first task on
    /// @param count of its tasks
    /// @param open of them, those that have not ended
    /// @param loops whether workers plan them, round by round
    public record Tasks(int begun, int count, int open, boolean loops, int rounds) {}

    /// When what happened to it, in epoch milliseconds.
    ///
    /// @param notBeforeMs the end of a wait before it is tried again
    public record Lived(
            long createdMs,
            @Nullable Long notBeforeMs,
            @Nullable Long startedMs,
            @Nullable Long endedMs) {}

    /// Why it failed.
    public record Trouble(@Nullable String code, String message) {}
}
