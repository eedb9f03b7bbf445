package io.orchestrion.runs.run;

import org.jspecify.annotations.Nullable;

/// When the last of each of these happened to a run, in the database's epoch milliseconds.
///
/// @param runningMs when its attempt began to run
/// @param activeMs how long its attempt had been running before `runningSinceMs`
/// @param deadlineMs when the state that it is in takes too long; null where nothing bounds it
/// @param ends how it ended; [Ends#NOT] before
public record Times(
        long createdMs,
        @Nullable Long startedMs,
        @Nullable Long runningMs,
        long activeMs,
        @Nullable Long runningSinceMs,
        @Nullable Long deadlineMs,
        @Nullable Long heartbeatMs,
        Ends ends) {

    /// @param durationMs from its start to its end; 0 where it was never started
    public record Ends(
            @Nullable Long completedMs,
            @Nullable Long cancelledMs,
            @Nullable Long durationMs,
            @Nullable Long deletedMs) {
        public static final Ends NOT = new Ends(null, null, null, null);
    }

    static Times created(long nowMs) {
        return new Times(nowMs, null, null, 0, null, null, null, Ends.NOT);
    }

    /// How long its attempt has been running, pauses left out.
    public long activeAt(long nowMs) {
        return runningSinceMs == null ? activeMs : activeMs + Math.max(0, nowMs - runningSinceMs);
    }

    public Times started(long nowMs) {
        return new Times(
                createdMs,
                nowMs,
                runningMs,
                activeMs,
                runningSinceMs,
                deadlineMs,
                heartbeatMs,
                ends);
    }

    public Times endingBy(@Nullable Long timeMs) {
        return new Times(
                createdMs,
                startedMs,
                runningMs,
                activeMs,
                runningSinceMs,
                timeMs,
                heartbeatMs,
                ends);
    }

    /// It begins to run, or goes on.
    public Times running(long nowMs) {
        return new Times(
                createdMs,
                startedMs,
                runningMs == null ? nowMs : runningMs,
                activeMs,
                nowMs,
                deadlineMs,
                nowMs,
                ends);
    }

    /// Somebody drives it.
    public Times beating(long nowMs) {
        return new Times(
                createdMs, startedMs, runningMs, activeMs, runningSinceMs, deadlineMs, nowMs, ends);
    }

    /// It no longer runs.
    public Times halted(long nowMs) {
        return new Times(
                createdMs,
                startedMs,
                runningMs,
                activeAt(nowMs),
                null,
                deadlineMs,
                heartbeatMs,
                ends);
    }

    public Times ended(Ends how) {
        return new Times(
                createdMs, startedMs, runningMs, activeMs, runningSinceMs, null, heartbeatMs, how);
    }

    /// At the beginning of another attempt, whose time is its own.
    Times again() {
        return new Times(createdMs, startedMs, null, 0, null, deadlineMs, heartbeatMs, Ends.NOT);
    }
}
