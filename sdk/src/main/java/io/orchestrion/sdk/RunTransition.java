package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;

/// One change of the status of a run; from [Runs#transitions].
///
/// ```java
/// for (RunTransition change : client.runs().transitions("run_7", null, null).items()) {
///     System.out.println(change.from() + " -> " + change.to() + " by " + change.actor());
/// }
/// ```
///
/// @param number 1 for the making of the run
/// @param from null for the making of the run
/// @param actor `engine`, or `key:` or `operator:` with an id
/// @param json everything that the server says of it
public record RunTransition(
        int number,
        @Nullable RunStatus from,
        RunStatus to,
        String actor,
        Instant at,
        JsonNode json) {
    /// What was said about it, or null.
    public @Nullable String reason() {
        return Wire.textOrNull(json, "reason");
    }
}
