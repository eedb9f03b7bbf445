package io.orchestrion.bench.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Workers that do one step after the other: first to warm up, then for the window that counts.
public final class Load {
    /// One client. It belongs to one thread.
    public interface Worker extends AutoCloseable {
        /// Does one step.
        ///
        /// @param dueNanos when it was due; what is late counts as slow
        /// @return how many life cycles, or whatever is counted, came to their end
        int step(Latencies into, long dueNanos) throws Exception;

        @Override
        default void close() {}
    }

    /// Makes the worker with the given number.
    public interface Workers {
        Worker worker(int number) throws Exception;
    }

    /// Told when the window that counts begins and ends.
    public interface Window {
        void begins();

        void ends();
    }

    private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private enum Phase {
        WARM_UP,
        COUNTED,
        OVER
    }

    /// What came of a window.
    public record Outcome(long done, double seconds, Latencies latencies) {
        public double perSecond() {
            return done / seconds;
        }
    }

    private final Duration warmUp;
    private final Duration counted;
    private final Window window;
    private volatile Phase phase = Phase.WARM_UP;

    public Load(Duration warmUp, Duration counted, Window window) {
        this.warmUp = warmUp;
        this.counted = counted;
        this.window = window;
    }

    /// Closed loop: each worker begins its next step as soon as the last is done.
    public Outcome closed(int workers, Workers makes) throws InterruptedException {
        return run(workers, makes, new AtomicLong(), 0);
    }

    /// Open loop: steps are due at a steady pace whether or not the last are done, and each is
    /// timed from when it was due. A server that stalls is charged for all that it kept waiting.
    public Outcome open(int workers, double perSecond, Workers makes) throws InterruptedException {
        if (perSecond <= 0) {
            throw new IllegalArgumentException("a pace is above 0, not " + perSecond);
        }
        return run(
                workers, makes, new AtomicLong(), (long) (TimeUnit.SECONDS.toNanos(1) / perSecond));
    }

    private Outcome run(int workers, Workers makes, AtomicLong next, long everyNanos)
            throws InterruptedException {
        var latencies = new Latencies();
        var done = new AtomicLong();
        long start = System.nanoTime();
        try (var threads = Executors.newFixedThreadPool(workers, Thread.ofPlatform().factory())) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                int number = i;
                running.add(
                        threads.submit(
                                () -> {
                                    work(makes, number, start, next, everyNanos, done, latencies);
                                    return null;
                                }));
            }
            double seconds;
            try {
                sleep(warmUp, running);
                window.begins();
                phase = Phase.COUNTED;
                long begun = System.nanoTime();
                sleep(counted, running);
                // Before the workers go: what a session of theirs has used goes with it.
                window.ends();
                phase = Phase.OVER;
                seconds = (System.nanoTime() - begun) / 1e9;
            } finally {
                phase = Phase.OVER;
            }
            for (Future<?> each : running) {
                get(each);
            }
            return new Outcome(done.get(), seconds, latencies);
        }
    }

    private void work(
            Workers makes,
            int number,
            long start,
            AtomicLong next,
            long everyNanos,
            AtomicLong done,
            Latencies latencies)
            throws Exception {
        var mine = new Latencies();
        long count = 0;
        boolean warm = false;
        try (Worker worker = makes.worker(number)) {
            while (phase != Phase.OVER) {
                if (!warm && phase == Phase.COUNTED) {
                    mine.forget();
                    count = 0;
                    warm = true;
                }
                long due = System.nanoTime();
                if (everyNanos > 0) {
                    due = start + next.getAndIncrement() * everyNanos;
                    awaitNanos(due);
                }
                int ended = worker.step(mine, due);
                // What ends after the window is no part of it.
                count += phase == Phase.OVER ? 0 : ended;
            }
        }
        done.addAndGet(warm ? count : 0);
        synchronized (latencies) {
            latencies.add(mine);
        }
    }

    private void awaitNanos(long due) {
        long left = due - System.nanoTime();
        while (left > 0 && phase != Phase.OVER) {
            // In short naps, to notice the end of a window that comes before the step.
            LockSupport.parkNanos(Math.min(left, NAP_NANOS));
            left = due - System.nanoTime();
        }
    }

    /// Ends early when a worker failed, and says why.
    private static void sleep(Duration time, List<Future<?>> running) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            Thread.sleep(Math.clamp(Duration.ofNanos(end - System.nanoTime()).toMillis(), 1, 100));
            for (Future<?> each : running) {
                if (each.isDone()) {
                    get(each);
                }
            }
        }
    }

    private static void get(Future<?> running) throws InterruptedException {
        try {
            running.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException("a worker failed", e.getCause());
        }
    }
}
