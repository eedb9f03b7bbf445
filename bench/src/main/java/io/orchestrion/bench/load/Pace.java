package io.orchestrion.bench.load;

import java.util.concurrent.TimeUnit;

/// When steps are due.
final class Pace {
    private final long everyNanos;
    private long startNanos;
    private long begun;

    private Pace(long everyNanos) {
        this.everyNanos = everyNanos;
    }

    /// As soon as there is a connection for it.
    static Pace closed() {
        return new Pace(0);
    }

    /// Steadily, whether or not earlier ones are done.
    static Pace open(double perSecond) {
        if (perSecond <= 0) {
            throw new IllegalArgumentException("a pace is above 0, not " + perSecond);
        }
        return new Pace((long) (TimeUnit.SECONDS.toNanos(1) / perSecond));
    }

    void start(long nowNanos) {
        startNanos = nowNanos;
    }

    /// Of the next step. It stays due until somebody begins it: a step that had to wait for a
    /// connection is timed from here.
    long dueNanos(long nowNanos) {
        return everyNanos == 0 ? nowNanos : startNanos + begun * everyNanos;
    }

    void begun() {
        begun++;
    }
}
