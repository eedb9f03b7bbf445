package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/// A job of `/v1/jobs` as the server last described it; from [Jobs#get].
///
/// @param type as it was submitted
/// @param outcome `SUCCESS`, `FAILED` or `CANCELED` once it has ended, null before
/// @param executionAt when a deferred job is due
/// @param attempt 1 at first, one more after each retry
/// @param callback the address that receives each change of the job's state
/// @param definition its simulated work; null if the answer had none
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

    /// The simulated work, chosen when the job was submitted.
    ///
    /// @param shouldFail whether the work is defined to fail
    /// @param payloadBytes how much output it makes
    public record Definition(
            String workKind, long durationMillis, boolean shouldFail, long payloadBytes) {}

    /// Why an attempt failed.
    ///
    /// @param retryable whether another attempt may succeed
    public record Failure(String code, @Nullable String message, boolean retryable) {}
}
