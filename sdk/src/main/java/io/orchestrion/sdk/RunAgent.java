package io.orchestrion.sdk;

import static io.orchestrion.sdk.Wire.textOrNull;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/// One agent of a run; from [Runs#agents] and [Runs#agent].
///
/// ```java
/// for (RunAgent agent : client.runs().agents("run_7", null, null, null).items()) {
///     System.out.println(agent.sequenceNumber() + " " + agent.subtask() + " " + agent.status());
/// }
/// ```
///
/// @param role `planner` or `worker`
/// @param subtask what it is for
/// @param json everything that the server says of it
public record RunAgent(
        String id, int sequenceNumber, String role, String subtask, String status, JsonNode json) {
    /// Whether another plan replaced it.
    public boolean superseded() {
        return json.path("superseded").booleanValue(false);
    }

    public @Nullable String errorCode() {
        return textOrNull(json, "error_code");
    }

    public @Nullable String error() {
        return textOrNull(json, "error");
    }
}
