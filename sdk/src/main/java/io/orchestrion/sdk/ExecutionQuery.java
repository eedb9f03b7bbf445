package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Which executions to list, newest first. Each method returns a changed copy.
///
/// ```java
/// Page<Execution> failed = client.orchestrations().list(
///         ExecutionQuery.ALL.withStatus(ExecutionStatus.FAILED).forTarget("order", "4711"));
/// ```
///
/// @param limit 1 to 100; null for the server's default of 50
/// @param cursor the cursor of the page before; null for the first page
public record ExecutionQuery(
        @Nullable ExecutionStatus status,
        @Nullable UUID definitionId,
        @Nullable String targetType,
        @Nullable String targetId,
        @Nullable String correlationId,
        @Nullable Integer limit,
        @Nullable String cursor) {
    /// Every execution.
    public static final ExecutionQuery ALL =
            new ExecutionQuery(null, null, null, null, null, null, null);

    public ExecutionQuery withStatus(@Nullable ExecutionStatus status) {
        return new ExecutionQuery(
                status, definitionId, targetType, targetId, correlationId, limit, cursor);
    }

    public ExecutionQuery ofDefinition(@Nullable UUID id) {
        return new ExecutionQuery(status, id, targetType, targetId, correlationId, limit, cursor);
    }

    public ExecutionQuery forTarget(@Nullable String type, @Nullable String id) {
        return new ExecutionQuery(status, definitionId, type, id, correlationId, limit, cursor);
    }

    public ExecutionQuery withCorrelationId(@Nullable String id) {
        return new ExecutionQuery(status, definitionId, targetType, targetId, id, limit, cursor);
    }

    public ExecutionQuery withLimit(@Nullable Integer limit) {
        return new ExecutionQuery(
                status, definitionId, targetType, targetId, correlationId, limit, cursor);
    }

    public ExecutionQuery after(@Nullable String cursor) {
        return new ExecutionQuery(
                status, definitionId, targetType, targetId, correlationId, limit, cursor);
    }

    Parameters parameters() {
        return new Parameters()
                .with("status", status == null ? null : status.word())
                .with("definition_id", definitionId)
                .with("target_object_type", targetType)
                .with("target_object_id", targetId)
                .with("correlation_id", correlationId)
                .with("limit", limit)
                .with("cursor", cursor);
    }
}
