package io.orchestrion.sdk;

import static io.orchestrion.sdk.Wire.numberOrNull;
import static io.orchestrion.sdk.Wire.textOrNull;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.UUID;

/// One attempt at a step of a run, as the run has it; from [RunStep#attempts].
///
/// ```java
/// long tokens = client.runs().step("run_7", "step_9", null, null).attempts().stream()
///         .mapToLong(each -> each.tokens() == null ? 0 : each.tokens())
///         .sum();
/// ```
///
/// @param workId of the task that a worker claims
/// @param number counts within the step
/// @param status `pending`, `running`, `completed`, `failed` or `cancelled`
/// @param json everything that the server says of it
public record RunStepAttempt(String id, UUID workId, int number, String status, JsonNode json) {
    public @Nullable String errorCode() {
        return textOrNull(json, "error_code");
    }

    public @Nullable String error() {
        return textOrNull(json, "error");
    }

    public @Nullable String workerId() {
        return textOrNull(json, "worker_id");
    }

    /// What its worker said that it used; null before its end.
    public @Nullable Long tokens() {
        return numberOrNull(json, "tokens");
    }
}
