package io.orchestrion.kernel.retry;

import org.jspecify.annotations.Nullable;

/// Everything that the decision about a failed attempt rests on.
///
/// @param attempts how many attempts were made since the budget was last renewed, this one included
/// @param failedMs when the attempt ended
/// @param nowMs when the decision is made, which is later where the whole was paused in between
/// @param deadlineMs when the whole step is over; null where nothing bounds it
/// @param retryAfterSeconds how long the one who failed asks to be left alone
/// @param timedOut whether the attempt ended because its time was over
public record FailedAttempt(
        ErrorClass errorClass,
        SafeRetry declared,
        int attempts,
        long failedMs,
        long nowMs,
        @Nullable Long deadlineMs,
        @Nullable Integer retryAfterSeconds,
        boolean timedOut) {}
