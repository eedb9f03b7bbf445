package io.orchestrion.runs.tree;

import org.jspecify.annotations.Nullable;

/// The times of an agent or a task, in the database's epoch milliseconds.
///
/// @param timeoutMs how long it may run, pauses left out
/// @param activeMs how long it had been running before `runningSinceMs`
/// @param deadlineMs when its time is over; null while it does not run
/// @param notBeforeMs nothing of it begins before this time; null for no such time
public record Clock(
        long timeoutMs,
        long activeMs,
        @Nullable Long runningSinceMs,
        @Nullable Long deadlineMs,
        @Nullable Long notBeforeMs,
        long createdMs,
        @Nullable Long startedMs,
        @Nullable Long endedMs) {

    public static Clock created(long timeoutMs, long nowMs) {
        return new Clock(timeoutMs, 0, null, null, null, nowMs, null, null);
    }

    public Clock running(long nowMs) {
        return new Clock(
                timeoutMs,
                activeMs,
                nowMs,
                nowMs + Math.max(1, timeoutMs - activeMs),
                notBeforeMs,
                createdMs,
                startedMs == null ? nowMs : startedMs,
                null);
    }

    public Clock halted(long nowMs) {
        long more = runningSinceMs == null ? 0 : Math.max(0, nowMs - runningSinceMs);
        return new Clock(
                timeoutMs, activeMs + more, null, null, notBeforeMs, createdMs, startedMs, endedMs);
    }

    public Clock ended(long nowMs) {
        Clock halted = halted(nowMs);
        return new Clock(timeoutMs, halted.activeMs, null, null, null, createdMs, startedMs, nowMs);
    }

    /// From its beginning once more, with all of its time.
    public Clock again(@Nullable Long notBefore) {
        return new Clock(timeoutMs, 0, null, null, notBefore, createdMs, startedMs, null);
    }
}
