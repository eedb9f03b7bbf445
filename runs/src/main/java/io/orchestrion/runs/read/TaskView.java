package io.orchestrion.runs.read;

import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.plan.ParallelismMode;
import io.orchestrion.runs.read.AgentView.Lived;
import io.orchestrion.runs.read.AgentView.Trouble;
import io.orchestrion.runs.state.TaskStatus;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;

/// A task of an agent as people see it.
///
/// @param mode of its steps
/// @param skipReason why it was skipped
public record TaskView(
        UUID id,
        Place place,
        String name,
        TaskStatus status,
        FailureMode failureMode,
        ParallelismMode mode,
        Steps steps,
        Lived lived,
        @Nullable String skipReason,
        @Nullable Trouble trouble) {

    /// @param runAttempt of the run
    /// @param dependencies names of tasks of the same agent
    /// @param unmet how many of them have not ended well yet
    public record Place(
            UUID run,
            UUID agent,
            int runAttempt,
            int sequence,
            int round,
            List<String> dependencies,
            int unmet) {}

    /// @param begun how often it was begun from its first step on
    /// @param open those that have not ended
    public record Steps(int begun, int count, int open) {}
}
