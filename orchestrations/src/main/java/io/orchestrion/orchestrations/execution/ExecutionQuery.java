package io.orchestrion.orchestrations.execution;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Which executions are listed, newest first. Null leaves a filter out.
///
/// @param before the id of the last one of the page before
public record ExecutionQuery(
        UUID account,
        @Nullable ExecutionStatus status,
        @Nullable UUID definition,
        @Nullable String targetType,
        @Nullable String targetId,
        @Nullable String correlationId,
        @Nullable UUID before,
        int limit) {}
