package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.UUID;

/// A job of the queue as the server last described it.
///
/// @param attempt how often it was claimed so far
/// @param nextAttemptAt not claimable before this time; null if it waits for nothing
/// @param payload JSON text; null in answers to its holder, who has it from the claim
/// @param workerId the worker that holds it, or held it last
/// @param cancelRequested whether its holder is asked to stop
/// @param errorMessage the error of the last attempt that failed
public record QueueJob(
        UUID id,
        String type,
        JobStatus status,
        int priority,
        int attempt,
        int maxAttempts,
        @Nullable Instant nextAttemptAt,
        @Nullable String payload,
        @Nullable String workerId,
        @Nullable Instant leaseExpiresAt,
        boolean cancelRequested,
        @Nullable String errorMessage,
        @Nullable String resultSummary,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt) {

    /// The payload as a tree; a missing node if the answer had none.
    public JsonNode payloadJson() {
        return Json.tree(payload);
    }
}
