package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// The report of an attempt at a job, with every change of its state; written once when the attempt
/// ends. From [Jobs#report].
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
    /// @param prevState null for the first change
    /// @param payload JSON text of an object with at least the `scenario`
    public record Event(
            UUID id,
            UUID jobId,
            String name,
            @Nullable String prevState,
            String nextState,
            Instant at,
            @Nullable String payload) {
        /// The payload as a tree; a missing node if there is none.
        public JsonNode payloadJson() {
            return Json.tree(payload);
        }
    }
}
