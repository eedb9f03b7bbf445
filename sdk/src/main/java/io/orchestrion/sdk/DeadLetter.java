package io.orchestrion.sdk;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.UUID;

/// A step that failed for good; from [DeadLetters].
///
/// @param reason such as `attempts_exhausted` or `non_retryable`
/// @param status `open`, `handled`, `reprocessed` or `resolved`
/// @param actions what can be done with it now
/// @param json everything that the server says of it
public record DeadLetter(
        UUID id,
        UUID executionId,
        String stepId,
        String reason,
        String status,
        List<String> actions,
        JsonNode json) {
    public DeadLetter {
        actions = List.copyOf(actions);
    }

    /// The class of its last error.
    public String errorClass() {
        return Wire.text(json, "error_class");
    }
}
