package io.orchestrion.sdk;

import java.time.Duration;

/// A clock that only goes forward, and waiting on it; a test brings one that it moves by hand.
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

    /// As [System#nanoTime]: only differences mean something.
    long nanos();

    void sleep(Duration duration) throws InterruptedException;
}
