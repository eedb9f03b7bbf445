package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.UUID;

/// What a person is asked by an execution; from [Approvals].
///
/// @param kind whether a step is to be approved, or that its effect is undone
/// @param status `pending`, `approved`, `rejected`, `expired` or `canceled`
/// @param expiresAt when it is too late; null for never
/// @param json everything that the server says of it; after a decision also the `execution_status`
public record Approval(
        UUID id,
        UUID executionId,
        String stepId,
        StepKind kind,
        String status,
        @Nullable String title,
        @Nullable Instant expiresAt,
        JsonNode json) {
    /// What is to be approved.
    public JsonNode input() {
        return json.path("input");
    }
}
