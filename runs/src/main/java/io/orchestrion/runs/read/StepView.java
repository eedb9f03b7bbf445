package io.orchestrion.runs.read;

import io.orchestrion.runs.plan.ParallelismMode;
import io.orchestrion.runs.read.AgentView.Lived;
import io.orchestrion.runs.read.AgentView.Trouble;
import io.orchestrion.runs.state.StepStatus;
import io.orchestrion.runs.state.TaskStatus;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;

/// A step of a task as people see it.
///
/// @param skipReason why it was skipped
public record StepView(
        UUID id,
        Place place,
        String name,
        Call call,
        StepStatus status,
        Attempts attempts,
        Output output,
        Lived lived,
        @Nullable String skipReason,
        @Nullable Trouble trouble) {

    /// @param mode of its task
    /// @param taskStatus of its task
    /// @param dependencies names of steps of the same task
    /// @param unmet how many of them have not ended well yet
    public record Place(
            UUID run,
            UUID agent,
            UUID task,
            int sequence,
            ParallelismMode mode,
            TaskStatus taskStatus,
            List<String> dependencies,
            int unmet) {}

    /// What a worker does of it.
    ///
    /// @param kind `tool`, `run_plan` or `agent_plan`
    /// @param input JSON text; null where it was not asked for
    /// @param key the same for each attempt
    /// @param policy what the run says of its tool
    public record Call(
            String kind,
            String tool,
            @Nullable String input,
            String key,
            @Nullable Long timeoutMs,
            int maxAttempts,
            @Nullable Long maxTokens,
            String policy) {}

    /// @param made how many there have been, in all attempts of its task
    /// @param open the one that is under way
    public record Attempts(int made, @Nullable Open open) {}

    /// What is under way of a step: an attempt, or a question to people.
    ///
    /// @param held whether a worker has it
    /// @param notBeforeMs of an attempt that waits
    public record Open(UUID id, boolean approval, boolean held, @Nullable Long notBeforeMs) {}

    /// @param json null where it was not asked for, or there is none
    /// @param bytes null where there is none
    public record Output(@Nullable String json, @Nullable Integer bytes) {}
}
