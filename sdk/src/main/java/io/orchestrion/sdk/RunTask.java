package io.orchestrion.sdk;

import static io.orchestrion.sdk.Wire.textOrNull;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/// One task of an agent of a run; from [Runs#tasks] and [Runs#task].
///
/// ```java
/// for (RunTask task : client.runs().tasks("run_7", "agent_8", null, null).items()) {
///     System.out.println(task.name() + " " + task.status());
/// }
/// ```
///
/// @param json everything that the server says of it
public record RunTask(
        String id, String agentId, int sequenceNumber, String name, String status, JsonNode json) {
    /// Why it was not done, such as `dependency_failed`; null unless it was skipped.
    public @Nullable String skipReason() {
        return textOrNull(json, "skip_reason");
    }

    public @Nullable String errorCode() {
        return textOrNull(json, "error_code");
    }

    public @Nullable String error() {
        return textOrNull(json, "error");
    }
}
