package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/// A task as the server last described it.
///
/// ```java
/// Task task = client.get(id);
/// if (task.status() == TaskStatus.COMPLETED) {
///     System.out.println(task.resultJson().path("greeting").asString());
/// }
/// ```
///
/// @param attemptCount how often it was claimed so far
/// @param leaseDuration how long a claim lasts without a heartbeat
/// @param payload JSON text; null in answers to its holder, who has it from the claim
/// @param result JSON text; null until there is one
/// @param correlationId what the task is a part of, or null
/// @param giveUpAt when it is cancelled if it is still open, or null
/// @param reported what was last reported beside the result
/// @param contract what can be done with the task now
public record Task(
        UUID id,
        String type,
        TaskStatus status,
        int priority,
        int attemptCount,
        int maxAttempts,
        Duration leaseDuration,
        @Nullable Instant scheduledAt,
        @Nullable String claimedBy,
        @Nullable Instant claimedAt,
        @Nullable Instant leaseExpiresAt,
        @Nullable Instant lastHeartbeatAt,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant completedAt,
        @Nullable Instant lastFailedAt,
        @Nullable String lastFailureReason,
        @Nullable String payload,
        @Nullable String result,
        @Nullable String outputId,
        @Nullable String correlationId,
        @Nullable Instant giveUpAt,
        TaskReport reported,
        AgentContract contract) {

    /// The payload as a tree; a missing node if the answer had none.
    public JsonNode payloadJson() {
        return Json.tree(payload);
    }

    /// The result as a tree; a missing node while there is none.
    public JsonNode resultJson() {
        return Json.tree(result);
    }
}
