package io.orchestrion.sdk;

import static io.orchestrion.sdk.Wire.instantOrNull;
import static io.orchestrion.sdk.Wire.textOrNull;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.UUID;

/// One attempt at a step as its execution has it. A worker that holds the attempt has a
/// [StepAttempt].
///
/// ```java
/// for (StepExecution step : client.orchestrations().get(id).steps()) {
///     System.out.println(step.stepId() + " " + step.attemptNumber() + " " + step.errorCode());
/// }
/// ```
///
/// @param id that of the task which a worker claims, if a worker does the step
/// @param attemptNumber counts up within the step and the kind
/// @param json everything that the server says of it
public record StepExecution(
        UUID id,
        UUID executionId,
        String stepId,
        StepKind kind,
        int attemptNumber,
        StepStatus status,
        JsonNode json) {
    /// What people read.
    public String name() {
        return json.path("name").stringValue(stepId);
    }

    /// The result of a success.
    public JsonNode result() {
        return json.path("result");
    }

    /// The class by which the engine decided what follows; null unless it failed.
    public @Nullable String errorClass() {
        return textOrNull(json, "error_class");
    }

    public @Nullable String errorCode() {
        return textOrNull(json, "error_code");
    }

    /// What failed, without secrets.
    public @Nullable String errorSummary() {
        return textOrNull(json, "error_summary");
    }

    /// Not begun before; null for at once.
    public @Nullable Instant retryAfterAt() {
        return instantOrNull(json, "retry_after_at");
    }

    public @Nullable Instant startedAt() {
        return instantOrNull(json, "started_at");
    }

    public @Nullable Instant finishedAt() {
        return instantOrNull(json, "finished_at");
    }
}
