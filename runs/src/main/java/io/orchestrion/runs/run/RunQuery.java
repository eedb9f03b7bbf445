package io.orchestrion.runs.run;

import io.orchestrion.runs.state.RunStatus;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Which runs somebody wants to see, newest first.
///
/// @param before the last one of the page before; null for the first page
/// @param status null for any
/// @param escalated null for either
public record RunQuery(
        UUID account,
        @Nullable UUID before,
        @Nullable RunStatus status,
        @Nullable Boolean escalated,
        @Nullable Long createdFromMs,
        @Nullable Long createdToMs,
        int limit) {}
