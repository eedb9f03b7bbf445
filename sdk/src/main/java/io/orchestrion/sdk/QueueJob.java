package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.UUID;

/// A job of the queue as the server last told it.
///
/// @param attempt claims so far
/// @param nextAttemptAt not claimable before; null where nothing is waited for
/// @param payload JSON text; null in answers to a holder, who has it from the claim
/// @param workerId who holds it, or held it last
/// @param cancelRequested whether its holder is asked to give it up
/// @param errorMessage of the last attempt that failed
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

    /// The payload to look into; a missing node where the answer had none.
    public JsonNode payloadJson() {
        return Json.tree(payload);
    }
}
