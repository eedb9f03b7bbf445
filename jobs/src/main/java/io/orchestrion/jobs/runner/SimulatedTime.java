package io.orchestrion.jobs.runner;

import java.time.Duration;

/// The clock of one simulated attempt. It runs faster than ours by the time scale, and what is over
/// the runtime limit is so by this clock: a fast scale does not turn a late wake-up of a few
/// milliseconds into a timeout (decision 87).
final class SimulatedTime {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final RunContext context;
    private final double scale;
    private final long limitMs;
    private final long startNanos = System.nanoTime();

    SimulatedTime(RunContext context, double scale) {
        this.context = context;
        this.scale = scale;
        this.limitMs = context.limit().toMillis();
    }

    /// Waits until so much of the attempt's time has passed.
    void until(double simulatedMs) throws InterruptedException, TimeOver {
        long nanos = reached(simulatedMs) - System.nanoTime();
        if (nanos > 0) {
            context.pause(Duration.ofNanos(nanos));
        } else if (context.cancelled()) {
            throw new InterruptedException("the attempt is over");
        }
        if (simulatedMs > limitMs) {
            throw new TimeOver();
        }
    }

    /// When, by [System#nanoTime], that time is reached; not beyond the limit.
    long reached(double simulatedMs) {
        return startNanos + (long) (Math.min(simulatedMs, limitMs) * scale * NANOS_PER_MILLI);
    }
}
