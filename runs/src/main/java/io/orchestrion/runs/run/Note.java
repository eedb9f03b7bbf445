package io.orchestrion.runs.run;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// What people are told of a run beside its status.
///
/// @param errorCode why its attempt failed, in a word
/// @param ticket the newest one
/// @param escalated whether that ticket is open
/// @param windowFromMs errors before this time count for no escalation
public record Note(
        @Nullable String errorCode,
        @Nullable String error,
        @Nullable String pauseReason,
        @Nullable UUID ticket,
        boolean escalated,
        long windowFromMs) {
    static final Note NONE = new Note(null, null, null, null, false, 0);

    public Note failed(@Nullable String code, @Nullable String why) {
        return new Note(code, why, pauseReason, ticket, escalated, windowFromMs);
    }

    public Note paused(@Nullable String why) {
        return new Note(errorCode, error, why, ticket, escalated, windowFromMs);
    }

    public Note ticket(@Nullable UUID id, boolean open) {
        return new Note(errorCode, error, pauseReason, id, open, windowFromMs);
    }

    public Note windowFrom(long timeMs) {
        return new Note(errorCode, error, pauseReason, ticket, escalated, timeMs);
    }
}
