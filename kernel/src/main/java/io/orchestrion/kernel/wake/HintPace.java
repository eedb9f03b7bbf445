package io.orchestrion.kernel.wake;

import java.util.concurrent.TimeUnit;

/// How often hints go out: at once while there are few, because somebody waits for them, and at a
/// steady pace under load, where each is for many. Not for several threads.
final class HintPace {
    static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /// So many hints go at once before the pace applies. A hint that a task was created often comes
    /// a moment before the one that it is ready, and must not delay that.
    static final int AT_ONCE = 5;

    private long usedUpToNanos;

    HintPace(long nowNanos) {
        usedUpToNanos = nowNanos;
    }

    /// Notes that some were sent now.
    ///
    /// @return how long to rest before the next
    long sent(long nowNanos) {
        long from = usedUpToNanos - nowNanos > 0 ? usedUpToNanos : nowNanos;
        usedUpToNanos = from + EVERY_NANOS;
        return Math.max(0, usedUpToNanos - nowNanos - (AT_ONCE - 1) * EVERY_NANOS);
    }
}
