package io.orchestrion.bench.load;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/// Workers that do one step after the other: first to warm up, then for the window that counts.
public final class Load {
    /// Makes the worker with the given number, before the load begins.
    public interface Workers {
        Worker worker(int number) throws IOException;
    }

    /// Told when the window that counts begins and ends.
    public interface Window {
        /// Tells nobody.
        Window UNMETERED =
                new Window() {
                    @Override
                    public void begins() {}

                    @Override
                    public void ends() {}
                };

        void begins();

        void ends();
    }

    /// What came of a window.
    public record Outcome(long done, double seconds, Latencies latencies) {
        public double perSecond() {
            return done / seconds;
        }
    }

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final Duration warmUp;
    private final Duration counted;
    private final Window window;
    private final Course course = new Course();

    public Load(Duration warmUp, Duration counted, Window window) {
        this.warmUp = warmUp;
        this.counted = counted;
        this.window = window;
    }

    /// Closed loop: each worker begins its next step as soon as the last is done.
    public Outcome closed(int workers, Workers makes) throws IOException, InterruptedException {
        return loop(workers, makes, Pace.closed());
    }

    /// Open loop: steps are due at a steady pace whether or not the last are done, and each is
    /// timed from when it was due. A server that stalls is charged for all that it kept waiting.
    public Outcome open(int workers, double perSecond, Workers makes)
            throws IOException, InterruptedException {
        return loop(workers, makes, Pace.open(perSecond));
    }

    private Outcome loop(int workers, Workers makes, Pace pace)
            throws IOException, InterruptedException {
        try (var loop = new EventLoop(pace, course)) {
            for (int i = 0; i < workers; i++) {
                loop.add(makes.worker(i));
            }
            return run(List.of(loop), workers);
        }
    }

    /// Closed loop of workers that need a thread each.
    public Outcome blocking(int workers, BlockingWorker.Maker makes) throws InterruptedException {
        return run(
                Stream.generate(() -> new BlockingLoop(makes, course)).limit(workers).toList(),
                workers);
    }

    private Outcome run(List<? extends Callable<Tally>> loops, int workers)
            throws InterruptedException {
        try (var threads =
                Executors.newFixedThreadPool(loops.size(), Thread.ofPlatform().factory())) {
            List<Future<Tally>> running = new ArrayList<>();
            double seconds;
            try {
                for (Callable<Tally> loop : loops) {
                    running.add(threads.submit(loop));
                }
                sleep(warmUp, running);
                window.begins();
                course.enter(Phase.COUNTED);
                long begun = System.nanoTime();
                sleep(counted, running);
                awaitWholeStep(workers, running);
                // Before the workers go: what a session of theirs has used goes with it.
                window.ends();
                course.enter(Phase.OVER);
                seconds = (System.nanoTime() - begun) / 1e9;
            } finally {
                course.enter(Phase.OVER);
            }
            long done = 0;
            var latencies = new Latencies();
            for (Future<Tally> each : running) {
                Tally tally = get(each);
                done += tally.done();
                latencies.add(tally.latencies());
            }
            return new Outcome(done, seconds, latencies);
        }
    }

    /// A window in which no worker did a whole step has no figures, so it lasts until one did: the
    /// second step that a worker ends in it has begun in it.
    private void awaitWholeStep(int workers, List<Future<Tally>> running)
            throws InterruptedException {
        long last = System.nanoTime() + LONGEST_WAIT.toNanos();
        while (course.ended() <= workers && System.nanoTime() < last) {
            sleep(Duration.ofMillis(5), running);
        }
    }

    /// Ends early when a worker failed, and says why.
    private static void sleep(Duration time, List<Future<Tally>> running)
            throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            Thread.sleep(Math.clamp(Duration.ofNanos(end - System.nanoTime()).toMillis(), 1, 100));
            for (Future<Tally> each : running) {
                if (each.isDone()) {
                    get(each);
                }
            }
        }
    }

    private static Tally get(Future<Tally> running) throws InterruptedException {
        try {
            return running.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException("a worker failed", e.getCause());
        }
    }
}
