package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;

/// One change of the status of an [Execution]; from [Orchestrations#transitions].
///
/// @param sequence grows with each event of the execution
/// @param event such as `started` or `paused`
/// @param actor `engine`, or `key:` with the id of a key
/// @param json everything that the server says of it
public record ExecutionTransition(
        long sequence,
        String event,
        @Nullable String from,
        @Nullable String to,
        Instant at,
        String actor,
        JsonNode json) {
    /// What was said about it, or null.
    public @Nullable String reason() {
        return Wire.textOrNull(json, "reason");
    }
}
