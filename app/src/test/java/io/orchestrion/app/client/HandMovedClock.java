package io.orchestrion.app.client;

import io.orchestrion.sdk.MonotonicClock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Stands still until it is moved; whoever sleeps on it wakes when its time has come.
final class HandMovedClock implements MonotonicClock {
    private long nanos;
    private final List<Long> wakeUps = new ArrayList<>();
    private Duration lastSleep = Duration.ZERO;

    @Override
    public synchronized long nanos() {
        return nanos;
    }

    @Override
    public synchronized void sleep(Duration duration) throws InterruptedException {
        Long until = nanos + duration.toNanos();
        lastSleep = duration;
        wakeUps.add(until);
        notifyAll();
        try {
            while (nanos < until) {
                wait();
            }
        } finally {
            wakeUps.remove(until);
        }
    }

    synchronized Duration lastSleep() {
        return lastSleep;
    }

    /// Waits until so many sleep, then moves.
    synchronized void advanceWhenAsleep(int threads, Duration by) throws InterruptedException {
        while (wakeUps.stream().filter(until -> until > nanos).count() < threads) {
            wait();
        }
        nanos += by.toNanos();
        notifyAll();
    }
}
