package io.orchestrion.orchestrations.execution;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Which attempts of an execution are listed, oldest first. Null leaves a filter out.
///
/// @param after the id of the last one of the page before
public record StepQuery(
        UUID account,
        UUID execution,
        @Nullable String stepId,
        @Nullable StepStatus status,
        @Nullable UUID after,
        int limit) {}
