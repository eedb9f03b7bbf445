package io.orchestrion.runs.run;

/// How long a run may be in each of its states, and its parts may take, in milliseconds. Time in a
/// pause counts for `pausedMs` alone.
public record Timeouts(
        long pendingMs,
        long runningMs,
        long pausedMs,
        long resumingMs,
        long retryingMs,
        long agentMs,
        long taskMs,
        long stepMs,
        long planningMs) {
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    /// As the contract has them.
    public static final Timeouts USUAL =
            new Timeouts(
                    DAY, DAY, 7 * DAY, 5 * MINUTE, DAY, 6 * HOUR, HOUR, 30 * SECOND, 10 * MINUTE);
}
