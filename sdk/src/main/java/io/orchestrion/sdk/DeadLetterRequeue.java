package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/// How far the requeueing of many dead letters is.
///
/// @param requeued those that are back in line
/// @param skipped those that were no dead letters any more
/// @param finishedAt null while it goes on
public record DeadLetterRequeue(
        UUID id,
        String state,
        long requeued,
        long skipped,
        long failed,
        @Nullable Instant finishedAt) {}
