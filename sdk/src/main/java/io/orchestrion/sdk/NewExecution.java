package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.UUID;

/// An execution to start.
///
/// ```java
/// Execution started = client.orchestrations().start(
///         NewExecution.of(definitionId)
///                 .forTarget("order", "4711")
///                 .withInput("{\"amount\":120}")
///                 .withKey("refund-4711"));
/// ```
///
/// Requests with the same key start one execution, for ever. To repeat a start, send the same
/// `NewExecution` again. Each method returns a changed copy.
///
/// @param definitionVersion null for the newest published one
/// @param targetType what it is about, such as `order`
/// @param targetId which of them
/// @param input JSON text
/// @param correlationId for logs and calls of other services; null for the execution's id
public record NewExecution(
        UUID definitionId,
        @Nullable Integer definitionVersion,
        String targetType,
        String targetId,
        String input,
        @Nullable String correlationId,
        String idempotencyKey) {
    public NewExecution {
        NewTask.checkKey(idempotencyKey);
    }

    /// An execution of the newest published version, for no special target, with an empty input and
    /// a random key.
    public static NewExecution of(UUID definitionId) {
        String random = UUID.randomUUID().toString();
        return new NewExecution(definitionId, null, "none", "none", "{}", null, random);
    }

    public NewExecution ofVersion(int version) {
        return new NewExecution(
                definitionId, version, targetType, targetId, input, correlationId, idempotencyKey);
    }

    public NewExecution forTarget(String type, String id) {
        return new NewExecution(
                definitionId, definitionVersion, type, id, input, correlationId, idempotencyKey);
    }

    /// @param json JSON text that fits the definition's `input_schema`
    public NewExecution withInput(String json) {
        return new NewExecution(
                definitionId,
                definitionVersion,
                targetType,
                targetId,
                json,
                correlationId,
                idempotencyKey);
    }

    public NewExecution withCorrelationId(String id) {
        return new NewExecution(
                definitionId, definitionVersion, targetType, targetId, input, id, idempotencyKey);
    }

    /// Your name for this start.
    public NewExecution withKey(String key) {
        return new NewExecution(
                definitionId, definitionVersion, targetType, targetId, input, correlationId, key);
    }

    ObjectNode body() {
        ObjectNode body = Json.object().put("definition_id", definitionId.toString());
        if (definitionVersion != null) {
            body.put("definition_version", definitionVersion);
        }
        body.put("target_object_type", targetType).put("target_object_id", targetId);
        Json.putRaw(body, "input", input);
        OrchestrionClient.putIfThere(body, "correlation_id", correlationId);
        return body;
    }
}
