package io.orchestrion.sdk;

import java.time.Duration;

/// A clock that only goes forward, and waiting on it. A test passes one that it moves by hand, with
/// [WorkerBuilder#clock] or [RetryPolicy#withClock].
public interface MonotonicClock {
    /// The clock of this machine.
    MonotonicClock SYSTEM =
            new MonotonicClock() {
                @Override
                public long nanos() {
                    return System.nanoTime();
                }

                @Override
                public void sleep(Duration duration) throws InterruptedException {
                    Thread.sleep(duration);
                }
            };

    /// Like [System#nanoTime]: only differences have a meaning.
    long nanos();

    /// Waits on this clock.
    void sleep(Duration duration) throws InterruptedException;
}
