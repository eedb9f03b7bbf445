package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.UUID;

/// A line of a job's log. No two lines of a job have the same time.
///
/// @param payload JSON text of an object, or null
/// @param workerId the worker that held the job then, or before
/// @param event what happened to the job, such as `claimed`; null for a line that the worker wrote
public record JobEvent(
        UUID id,
        UUID jobId,
        JobEventLevel level,
        String message,
        @Nullable String payload,
        Instant createdAt,
        @Nullable String workerId,
        @Nullable String event) {

    /// The payload as a tree; a missing node if there is none.
    public JsonNode payloadJson() {
        return Json.tree(payload);
    }
}
