package io.orchestrion.runs.policy;

/// How long to wait before the next attempt of a step, task, agent or run.
final class Backoff {
    private static final int DOUBLINGS_MAX = 40;

    private Backoff() {}

    /// The delay that would be due if there were no longest one: twice as long after each attempt.
    ///
    /// @param failed how many attempts have failed so far, at least 1
    static long uncappedMs(int failed, PolicySettings settings) {
        return settings.baseDelayMs() << Math.clamp(failed - 1L, 0, doublings(settings));
    }

    /// @param draw from 0 to less than 1, drawn at random
    static long delayMs(int failed, PolicySettings settings, double draw) {
        double delay = Math.min(uncappedMs(failed, settings), settings.maxDelayMs());
        return Math.round(delay * (1 + settings.jitter() * (2 * draw - 1)));
    }

    /// So many that nothing overflows.
    private static int doublings(PolicySettings settings) {
        return Math.min(DOUBLINGS_MAX, Long.numberOfLeadingZeros(settings.baseDelayMs()) - 1);
    }
}
