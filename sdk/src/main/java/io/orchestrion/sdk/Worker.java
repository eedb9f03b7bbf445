package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/// Claims tasks of one type and runs a handler for each, so many at a time.
///
/// ```java
/// try (var worker = Worker.builder(client)
///         .type("hello")
///         .concurrency(8)
///         .handler(task -> greet(task.payloadJson().path("name").asString()))
///         .start()) {
///     ...
/// }
/// ```
///
/// A handler has a virtual thread of its own. While it runs, heartbeats keep the lease, with the
/// lease's token; when the server says that the lease is gone, or no heartbeat was answered for two
/// thirds of it, the handler is interrupted and nothing is reported. What the handler returns
/// completes the task; what it throws fails it, with the message as the reason. When there is
/// nothing to do, the worker asks again after the wait that the server names.
public final class Worker implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Worker.class.getName());
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final OrchestrionClient client;
    private final String type;
    private final @Nullable String workerId;
    private final TaskHandler handler;
    private final Consumer<WorkerEvent> listener;
    private final MonotonicClock clock;
    private final DoubleSupplier random;
    private final Semaphore slots;
    private final Set<RunningTask> running = ConcurrentHashMap.newKeySet();
    private final Thread claimer;
    private boolean closing;
    private boolean waiting;

    private Worker(Builder from) {
        client = from.client;
        type = Objects.requireNonNull(from.type, "a worker needs a type");
        handler = Objects.requireNonNull(from.handler, "a worker needs a handler");
        workerId = from.workerId;
        listener = from.listener;
        clock = from.clock;
        random = from.random;
        slots = new Semaphore(from.concurrency);
        claimer = Thread.ofVirtual().name("orchestrion-claims-" + type).unstarted(this::claims);
    }

    public static Builder builder(OrchestrionClient client) {
        return new Builder(client);
    }

    /// Collects what a worker is made of.
    public static final class Builder {
        private final OrchestrionClient client;
        private @Nullable String type;
        private @Nullable String workerId;
        private int concurrency = 1;
        private @Nullable TaskHandler handler;
        private Consumer<WorkerEvent> listener = Worker::log;
        private MonotonicClock clock = MonotonicClock.SYSTEM;
        private DoubleSupplier random = () -> ThreadLocalRandom.current().nextDouble();

        private Builder(OrchestrionClient client) {
            this.client = client;
        }

        /// Which tasks to claim.
        public Builder type(String type) {
            this.type = type;
            return this;
        }

        /// How many tasks at a time; one unless set.
        public Builder concurrency(int tasks) {
            if (tasks < 1) {
                throw new IllegalArgumentException("concurrency must be at least 1");
            }
            concurrency = tasks;
            return this;
        }

        public Builder handler(TaskHandler handler) {
            this.handler = handler;
            return this;
        }

        /// Shown as `claimedBy`.
        public Builder workerId(String workerId) {
            this.workerId = workerId;
            return this;
        }

        /// Is told what happens, on the worker's threads; without one, what goes wrong is logged.
        public Builder listener(Consumer<WorkerEvent> listener) {
            this.listener = listener;
            return this;
        }

        /// For tests: the clock of the leases and the waits.
        public Builder clock(MonotonicClock clock) {
            this.clock = clock;
            return this;
        }

        /// For tests: numbers from 0 to below 1, which spread the waits.
        public Builder random(DoubleSupplier random) {
            this.random = random;
            return this;
        }

        /// Starts to claim.
        public Worker start() {
            var worker = new Worker(this);
            worker.claimer.start();
            return worker;
        }
    }

    private void claims() {
        int failures = 0;
        while (waits(slots::acquire)) {
            Duration pause;
            try {
                pause = claimed();
                failures = 0;
            } catch (OrchestrionException e) {
                // Not even a refused key ends the worker: a worker that has quietly stopped is
                // harder to notice than one that complains.
                failures++;
                pause = backoff(failures, e);
                tell(new WorkerEvent.ClaimFailed(e));
            }
            if (!pause.isZero()) {
                slots.release();
                Duration wait = spread(pause);
                if (!waits(() -> clock.sleep(wait))) {
                    return;
                }
            }
        }
    }

    /// Takes one task and starts it; or says how long to wait.
    private Duration claimed() {
        long sent = clock.nanos();
        return switch (client.claim(type, workerId)) {
            case ClaimedTask claimed -> {
                tell(new WorkerEvent.Claimed(claimed.task()));
                start(claimed, sent);
                yield Duration.ZERO;
            }
            case NothingToClaim(var askAgainAfter) -> askAgainAfter;
        };
    }

    private void start(ClaimedTask claimed, long sent) {
        var task = new RunningTask(client, handler, clock, this::tell, this::ended, claimed, sent);
        running.add(task);
        task.thread().start();
    }

    private void ended(RunningTask task) {
        running.remove(task);
        slots.release();
    }

    private static Duration backoff(int failures, OrchestrionException e) {
        long own = Math.min(1L << Math.min(failures - 1, 10), LONGEST_PAUSE.toSeconds());
        return Duration.ofSeconds(Math.max(own, e.retryAfterSeconds().orElse(0)));
    }

    /// A quarter more at the most: never sooner than the server asked for, and not all at once.
    private Duration spread(Duration pause) {
        return pause.plusNanos((long) (pause.toNanos() / 4 * random.getAsDouble()));
    }

    @FunctionalInterface
    private interface Wait {
        void forIt() throws InterruptedException;
    }

    /// Waits, unless the worker is being closed. Only here may the claimer be interrupted: in the
    /// middle of a claim it would leave a task that nobody works on.
    private boolean waits(Wait wait) {
        synchronized (this) {
            if (closing) {
                return false;
            }
            waiting = true;
        }
        boolean waited;
        try {
            wait.forIt();
            waited = true;
        } catch (InterruptedException e) {
            waited = false;
        }
        synchronized (this) {
            waiting = false;
            Thread.interrupted();
            return waited && !closing;
        }
    }

    private void tell(WorkerEvent event) {
        try {
            listener.accept(event);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "the worker's listener failed on " + event, e);
        }
    }

    private static void log(WorkerEvent event) {
        switch (event) {
            case WorkerEvent.Claimed _, WorkerEvent.Completed _ -> {}
            case WorkerEvent.Failed(var task, var reason) ->
                    LOG.log(Level.INFO, "task {0} failed: {1}", task.id(), reason);
            case WorkerEvent.LeaseLost(var task, var why) ->
                    LOG.log(Level.WARNING, "lease of task {0} lost: {1}", task.id(), why);
            case WorkerEvent.ReportFailed(var task, var e) ->
                    LOG.log(
                            Level.WARNING,
                            "outcome of task {0} not reported: {1}",
                            task.id(),
                            e.getMessage());
            case WorkerEvent.ClaimFailed(var e) ->
                    LOG.log(Level.WARNING, "cannot claim: {0}", e.getMessage());
        }
    }

    /// How many tasks run now.
    public int running() {
        return running.size();
    }

    /// Claims no more and waits until what runs has ended. A caller who is interrupted in this
    /// waiting stops the handlers as [#stop] does.
    @Override
    public void close() {
        end(false);
    }

    /// As [#close], but interrupts the handlers; a task whose handler then throws is failed, so
    /// that it comes back without waiting for its lease to run out.
    public void stop() {
        end(true);
    }

    private void end(boolean now) {
        synchronized (this) {
            closing = true;
            if (waiting) {
                claimer.interrupt();
            }
        }
        // A claim under way may still start a task; after it there are no more.
        boolean interrupted = joined(claimer);
        if (now) {
            running.forEach(RunningTask::stop);
        }
        for (RunningTask task : running) {
            interrupted |= joined(task.thread());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean joined(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
                running.forEach(RunningTask::stop);
            }
        }
    }
}
