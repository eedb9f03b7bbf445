package io.orchestrion.sdk;

import static io.orchestrion.sdk.Wire.instant;
import static io.orchestrion.sdk.Wire.instantOrNull;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// One execution of an orchestration; from [Orchestrations#start] and [Orchestrations#get].
///
/// ```java
/// Execution now = client.orchestrations().get(id);
/// now.blockedOn().forEach(each -> System.out.println(each.on() + " " + each.stepId()));
/// now.steps().forEach(step -> System.out.println(step.stepId() + " " + step.status()));
/// ```
///
/// @param definitionVersion the one version that it follows
/// @param attemptCount 1, and one more for each time that somebody had it retried
/// @param json everything that the server says of it
public record Execution(
        UUID id,
        UUID definitionId,
        int definitionVersion,
        ExecutionStatus status,
        String targetType,
        String targetId,
        String correlationId,
        int attemptCount,
        JsonNode json) {
    /// The input as it was sent. An execution of a list has none.
    public JsonNode input() {
        return json.path("input");
    }

    /// The output; null or missing until it has succeeded, and in a list.
    public JsonNode output() {
        return json.path("output");
    }

    /// Why it failed: an object with `error_class`, `code` and `summary`; null unless it has.
    public JsonNode error() {
        return json.path("error");
    }

    public Instant startedAt() {
        return instant(json, "started_at");
    }

    /// Null until it has ended.
    public @Nullable Instant completedAt() {
        return instantOrNull(json, "completed_at");
    }

    /// Whether what a failed step had done was undone.
    public boolean compensated() {
        return json.path("compensated").booleanValue(false);
    }

    /// What it waits for. Only [Orchestrations#get] tells.
    public List<Blocked> blockedOn() {
        return OrchestrationWire.blocked(json.path("blocked_on"));
    }

    /// The attempts at its steps, oldest first; the first fifty of them, from [Orchestrations#get]
    /// only. [Orchestrations#steps] reads the others.
    public List<StepExecution> steps() {
        return OrchestrationWire.steps(json.path("steps"));
    }

    /// Whether nothing has happened from one look to the other.
    boolean standsAs(Execution other) {
        return status == other.status && json.path("steps").equals(other.json.path("steps"));
    }

    /// What an execution waits for.
    ///
    /// @param on `approval`, `retry_wait`, `timer`, `unclaimed_work`, `leased_work`, `compensation`
    ///     or `paused`
    /// @param id of the approval, the attempt or the execution
    /// @param until when that is over by itself; null if that is not known
    public record Blocked(String on, UUID id, @Nullable String stepId, @Nullable Instant until) {}
}
