package io.orchestrion.server.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Ends socket operations that take too long, by interrupting their thread: an interrupted thread's
/// channel is closed, so a client that trickles or never reads loses its connection. Helidon bounds
/// idle connections and nothing else.
///
/// Time is counted in ticks of the watchdog's own thread: a pause of the whole process, in which no
/// client could be served, counts as one tick and is not held against those who were waiting.
final class Watchdog implements AutoCloseable {
    /// One operation being watched.
    static final class Watch {
        private final Thread thread = Thread.currentThread();
        private final long lastTick;
        private boolean done;
        private boolean fired;

        private Watch(long lastTick) {
            this.lastTick = lastTick;
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
    private final long tickMillis;
    private final AtomicLong ticks = new AtomicLong();

    Watchdog(Duration tick) {
        this.tickMillis = tick.toMillis();
        this.timer =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("http-watchdog").factory());
        // Fixed delay and a body that cannot throw: a scheduled task that throws is never run
        // again.
        var _ =
                timer.scheduleWithFixedDelay(
                        this::tick, tickMillis, tickMillis, TimeUnit.MILLISECONDS);
    }

    /// Watches the current thread until [#disarm], which the same thread calls.
    Watch arm(Duration limit) {
        // The tick under way may be nearly over, so it does not count.
        var watch = new Watch(ticks.get() + 1 + Math.ceilDiv(limit.toMillis(), tickMillis));
        watches.add(watch);
        return watch;
    }

    boolean disarm(Watch watch) {
        watches.remove(watch);
        return watch.finish();
    }

    void tick() {
        long now = ticks.incrementAndGet();
        watches.removeIf(
                watch -> {
                    boolean due = now >= watch.lastTick;
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
