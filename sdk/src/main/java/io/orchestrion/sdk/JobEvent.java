package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.UUID;

/// A line in a job's log. No two of a job have the same time.
///
/// @param payload JSON text of an object, or null
/// @param workerId who held the job then, or had held it
/// @param event what happened to the job, such as `claimed`; null for what its worker says
public record JobEvent(
        UUID id,
        UUID jobId,
        JobEventLevel level,
        String message,
        @Nullable String payload,
        Instant createdAt,
        @Nullable String workerId,
        @Nullable String event) {

    /// The payload to look into; a missing node where there is none.
    public JsonNode payloadJson() {
        return Json.tree(payload);
    }
}
