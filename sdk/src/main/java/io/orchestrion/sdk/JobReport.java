package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// What came of a job and every change on the way; written once when an attempt ends.
///
/// @param outcome `SUCCESS`, `FAILED` or `CANCELED`
/// @param startedAt equal to `finishedAt` for a job that never ran
/// @param reason why it failed, or null
public record JobReport(
        UUID jobId,
        String outcome,
        List<Event> events,
        Instant startedAt,
        Instant finishedAt,
        long durationMillis,
        @Nullable String reason) {
    public JobReport {
        events = List.copyOf(events);
    }

    /// One change of state.
    ///
    /// @param name such as `job.running`
    /// @param prevState null for the first
    /// @param payload JSON text of an object with at least the `scenario`
    public record Event(
            UUID id,
            UUID jobId,
            String name,
            @Nullable String prevState,
            String nextState,
            Instant at,
            @Nullable String payload) {
        /// The payload to look into; a missing node where there is none.
        public JsonNode payloadJson() {
            return Json.tree(payload);
        }
    }
}
