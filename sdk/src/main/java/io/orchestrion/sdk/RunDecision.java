package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;

/// What the engine decided about a run or a part of it, and by what; from [Runs#decisions].
///
/// ```java
/// for (RunDecision each : client.runs().decisions("run_7", null, null).items()) {
///     System.out.println(each.level() + " " + each.decision() + " by " + each.inputs());
/// }
/// ```
///
/// @param level `run`, `agent`, `task` or `step`
/// @param subjectId of the run, agent, task or step
/// @param decision such as `retry`, `skip`, `escalate` or `abort`
/// @param json everything that the server says of it
public record RunDecision(
        String id,
        String level,
        String subjectId,
        String decision,
        @Nullable String trigger,
        Instant at,
        JsonNode json) {
    /// Numbers and errors that it was decided by.
    public JsonNode inputs() {
        return json.path("inputs");
    }

    /// What follows from it.
    public JsonNode outcome() {
        return json.path("outcome");
    }
}
