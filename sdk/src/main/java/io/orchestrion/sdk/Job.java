package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/// A job of `/v1/jobs` as the server last told it.
///
/// @param type as it was submitted
/// @param outcome `SUCCESS`, `FAILED` or `CANCELED` once it has ended, null before
/// @param executionAt when a deferred job is due
/// @param attempt 1 from the beginning, one more for each retry
/// @param callback where each change of its state is sent to
/// @param definition what its simulated work is; null where the answer had none
/// @param failure why its last attempt failed, or null
public record Job(
        UUID id,
        String type,
        JobState state,
        @Nullable String outcome,
        Instant createdAt,
        @Nullable Instant executionAt,
        Instant updatedAt,
        int attempt,
        @Nullable String callback,
        @Nullable Definition definition,
        @Nullable Failure failure) {

    /// Work as it was made up when the job came.
    ///
    /// @param payloadBytes how much output it makes
    public record Definition(
            String workKind, long durationMillis, boolean shouldFail, long payloadBytes) {}

    /// @param retryable whether another attempt may go better
    public record Failure(String code, @Nullable String message, boolean retryable) {}
}
