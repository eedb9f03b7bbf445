package io.orchestrion.kernel.db;

import java.time.Duration;
import java.util.concurrent.Callable;

/// Until when a caller wants its answer. Whatever the caller does within it waits no longer than
/// that for a connection or its turn, and is not committed after it: so a caller that gives up at
/// its deadline can say that nothing was done. A commit that has begun is waited for.
public final class Deadline {
    private static final ScopedValue<Long> AT_NANOS = ScopedValue.newInstance();

    private Deadline() {}

    /// Runs the body with so much time left; a deadline around it that comes earlier counts on.
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

    /// The time left, at most so much; nothing or less when it is over.
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
