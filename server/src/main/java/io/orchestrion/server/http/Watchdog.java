package io.orchestrion.server.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Ends socket operations that take too long, by interrupting their thread: an interrupted thread's
/// channel is closed, so a client that trickles or never reads loses its connection. Helidon bounds
/// idle connections and nothing else.
final class Watchdog implements AutoCloseable {
    /// One operation being watched.
    static final class Watch {
        private final Thread thread = Thread.currentThread();
        private final long deadlineNanos;
        private boolean done;
        private boolean fired;

        private Watch(long deadlineNanos) {
            this.deadlineNanos = deadlineNanos;
        }

        private synchronized void fire() {
            if (!done) {
                fired = true;
                thread.interrupt();
            }
        }

        /// True when the operation ended in time. An interrupt that came too late is taken back.
        private synchronized boolean finish() {
            done = true;
            if (fired) {
                Thread.interrupted();
            }
            return !fired;
        }
    }

    private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timer;

    Watchdog(Duration tick) {
        this.timer =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("http-watchdog").factory());
        long millis = tick.toMillis();
        // Fixed delay and a body that cannot throw: a scheduled task that throws is never run
        // again.
        var _ =
                timer.scheduleWithFixedDelay(
                        () -> fireDue(System.nanoTime()), millis, millis, TimeUnit.MILLISECONDS);
    }

    /// Watches the current thread until [#disarm], which the same thread calls.
    Watch arm(Duration limit) {
        var watch = new Watch(System.nanoTime() + limit.toNanos());
        watches.add(watch);
        return watch;
    }

    boolean disarm(Watch watch) {
        watches.remove(watch);
        return watch.finish();
    }

    private void fireDue(long nowNanos) {
        watches.removeIf(
                watch -> {
                    boolean due = nowNanos - watch.deadlineNanos >= 0;
                    if (due) {
                        watch.fire();
                    }
                    return due;
                });
    }

    /// Ends every operation being watched.
    void fireAll() {
        watches.forEach(Watch::fire);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
