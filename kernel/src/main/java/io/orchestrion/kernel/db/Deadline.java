package io.orchestrion.kernel.db;

import java.time.Duration;
import java.util.concurrent.Callable;

/// The time until which a caller wants its answer. Nothing that the caller does waits longer than
/// that for a connection or a turn, and nothing is committed after it. So a caller whose deadline
/// has passed can be told that nothing was done. A commit that has begun is waited for.
public final class Deadline {
    private static final ScopedValue<Long> AT_NANOS = ScopedValue.newInstance();

    private Deadline() {}

    /// Runs the body with so much time. An earlier deadline around it still counts.
    public static <T> T within(Duration time, Callable<T> body) throws Exception {
        long at = System.nanoTime() + time.toNanos();
        if (AT_NANOS.isBound() && AT_NANOS.get() - at < 0) {
            return body.call();
        }
        return ScopedValue.where(AT_NANOS, at).call(body::call);
    }

    /// Whether the thread that asks has one.
    public static boolean set() {
        return AT_NANOS.isBound();
    }

    /// The time left, but at most this long; zero or less when it is over.
    public static long nanosLeft(long mostNanos) {
        return AT_NANOS.isBound()
                ? Math.min(mostNanos, AT_NANOS.get() - System.nanoTime())
                : mostNanos;
    }

    /// Throws [DeadlinePassed] when it has.
    public static void check() {
        if (nanosLeft(Long.MAX_VALUE) <= 0) {
            throw new DeadlinePassed();
        }
    }
}
