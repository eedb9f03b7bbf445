package io.orchestrion.sdk;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/// The loop of every worker: it claims while it has a free slot, runs what it gets, waits when
/// there is nothing, and ends in good order.
final class WorkLoop<W> {
    private static final System.Logger LOG = System.getLogger(Worker.class.getName());
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /// A claim that is not answered within this time is waiting for work: available work comes
    /// sooner.
    private static final Duration CLAIM_TAKES = Duration.ofMillis(300);

    /// Where the work comes from.
    @FunctionalInterface
    interface Source<W> {
        Asked<W> ask();
    }

    /// The answer to a claim.
    sealed interface Asked<W> {
        record Got<W>(Held<W> held) implements Asked<W> {}

        /// @param pause before the next claim; zero if the server has waited already
        record Nothing<W>(Duration pause) implements Asked<W> {}
    }

    private final Source<W> source;
    private final Consumer<WorkerEvent<W>> listener;
    private final MonotonicClock clock;
    private final DoubleSupplier random;
    private final Semaphore slots;
    private final Set<Running<W>> running = ConcurrentHashMap.newKeySet();
    private final Thread claimer;
    private final boolean once;
    private boolean closing;
    private boolean waiting;
    private boolean asking;

    WorkLoop(WorkerBuilder<W, ?> from, Source<W> source) {
        this.source = source;
        listener = from.listener();
        clock = from.clock();
        random = from.random();
        once = from.isOnce();
        slots = new Semaphore(from.concurrency());
        claimer = Thread.ofVirtual().name("orchestrion-claims").unstarted(this::claims);
    }

    void start() {
        claimer.start();
    }

    private void claims() {
        int failures = 0;
        while (waits(slots::acquire)) {
            Duration pause;
            boolean got = false;
            try {
                long sent = clock.nanos();
                switch (asked()) {
                    case Asked.Got<W>(var held) -> {
                        got = true;
                        tell(new WorkerEvent.Claimed<>(held.work()));
                        start(held, sent);
                        pause = Duration.ZERO;
                    }
                    case Asked.Nothing<W>(var wait) -> {
                        pause = wait;
                        tell(new WorkerEvent.Idle<>());
                        if (once) {
                            return;
                        }
                    }
                }
                failures = 0;
            } catch (OrchestrionException e) {
                if (e.is(OrchestrionException.INTERRUPTED)) {
                    // Interrupted: only the end of the worker does that.
                    return;
                }
                // Even a refused key does not end the worker: a worker that has quietly stopped is
                // harder to notice than one that complains.
                failures++;
                pause = backoff(failures, e);
                tell(new WorkerEvent.ClaimFailed<>(e));
            }
            if (got) {
                if (once) {
                    return;
                }
                continue;
            }
            slots.release();
            Duration wait = spread(pause);
            if (!pause.isZero() && !waits(() -> clock.sleep(wait))) {
                return;
            }
        }
    }

    private Asked<W> asked() {
        synchronized (this) {
            asking = true;
        }
        try {
            return source.ask();
        } finally {
            synchronized (this) {
                asking = false;
                Thread.interrupted();
            }
        }
    }

    private void start(Held<W> held, long sent) {
        var work = new Running<>(held, clock, this::tell, this::ended, sent);
        running.add(work);
        work.thread().start();
    }

    private void ended(Running<W> work) {
        running.remove(work);
        slots.release();
    }

    private static Duration backoff(int failures, OrchestrionException e) {
        long own = Math.min(1L << Math.min(failures - 1, 10), LONGEST_PAUSE.toSeconds());
        return Duration.ofSeconds(Math.max(own, e.retryAfterSeconds().orElse(0)));
    }

    /// Adds up to a quarter at random, so that workers do not return all at once, and never sooner
    /// than the server asked.
    private Duration spread(Duration pause) {
        return pause.plusNanos((long) (pause.toNanos() / 4 * random.getAsDouble()));
    }

    @FunctionalInterface
    private interface Wait {
        void forIt() throws InterruptedException;
    }

    /// Waits, unless the worker is being closed. The claiming thread may be interrupted here at any
    /// time.
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

    private void tell(WorkerEvent<W> event) {
        try {
            listener.accept(event);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "the worker's listener failed on " + event, e);
        }
    }

    static <W> void log(WorkerEvent<W> event) {
        switch (event) {
            case WorkerEvent.Claimed<W> _, WorkerEvent.Idle<W> _, WorkerEvent.Completed<W> _ -> {}
            case WorkerEvent.Directed<W>(var work, var directives) ->
                    LOG.log(Level.INFO, "{0} is asked to {1}", name(work), directives.words());
            case WorkerEvent.Failed<W>(var work, var reason, var error) ->
                    LOG.log(
                            Level.INFO,
                            "{0} failed: {1}{2}",
                            name(work),
                            reason,
                            error == null ? "" : " (" + error.code() + ")");
            case WorkerEvent.Cancelled<W>(var work) ->
                    LOG.log(Level.INFO, "{0} was cancelled", name(work));
            case WorkerEvent.LeaseLost<W>(var work, var why) ->
                    LOG.log(Level.WARNING, "lease of {0} lost: {1}", name(work), why);
            case WorkerEvent.ReportFailed<W>(var work, var e) ->
                    LOG.log(
                            Level.WARNING,
                            "outcome of {0} not reported: {1}",
                            name(work),
                            e.getMessage());
            case WorkerEvent.ClaimFailed<W>(var e) ->
                    LOG.log(Level.WARNING, "cannot claim: {0}", e.getMessage());
        }
    }

    private static Object name(Object work) {
        return switch (work) {
            case Task task -> "task " + task.id();
            case QueueJob job -> "job " + job.id();
            default -> work;
        };
    }

    int running() {
        return running.size();
    }

    /// Waits until nothing is claimed any more and nothing runs.
    void await() throws InterruptedException {
        claimer.join();
        for (Running<W> work : running) {
            work.thread().join();
        }
    }

    void end(boolean now) {
        synchronized (this) {
            closing = true;
            if (waiting) {
                claimer.interrupt();
            }
        }
        // A claim under way may still start something; after it nothing starts.
        boolean interrupted = hungUp() | joined(claimer);
        if (now) {
            stopRunning();
        }
        for (Running<W> work : running) {
            interrupted |= joined(work.thread());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Interrupts a claim that waits for work. A claim that is just being answered is not
    /// interrupted: its work would stay undone until the lease runs out.
    ///
    /// @return whether the caller was interrupted meanwhile
    private boolean hungUp() {
        boolean interrupted = false;
        try {
            if (claimer.join(CLAIM_TAKES)) {
                return false;
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        synchronized (this) {
            if (asking) {
                claimer.interrupt();
            }
        }
        return interrupted;
    }

    private void stopRunning() {
        running.forEach(Running::stop);
    }

    private boolean joined(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
                stopRunning();
            }
        }
    }
}
