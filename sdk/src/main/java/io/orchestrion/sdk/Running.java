package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Consumer;

/// Runs one piece of work on its own thread, with a second thread that renews the lease.
///
/// The worker counts on the lease for two thirds of its time, measured on this machine's monotonic
/// clock from before the request that granted or renewed it. The handler has the last third to
/// stop, before the server can give the work to another worker. An outcome that is ready to be
/// reported is tried for the whole lease: the lease token guards it, so it can do no harm, and the
/// work survives a restart of the server.
final class Running<W> implements Runnable {
    private static final String STOPPED = "The worker was stopped.";
    private static final String CANCELLED = "The worker has given it up, as was asked for.";

    /// The code of `docs/reference/errors.md` for work that has ended without another holder.
    private static final String LEASE_REVOKED = "lease_revoked";

    private enum State {
        WORKING,
        REPORTING,
        LOST,
        ENDED
    }

    private sealed interface Outcome {
        record Done(@Nullable String result) implements Outcome {}

        record Broke(Throwable cause) implements Outcome {}
    }

    private final Held<W> held;
    private final MonotonicClock clock;
    private final Consumer<WorkerEvent<W>> events;
    private final Consumer<Running<W>> whenEnded;
    private final long sentNanos;
    private final Thread thread;

    /// Calls listeners, so that the thread that renews the lease does not wait for them.
    private final InOrder told = new InOrder();

    private Directives directives = Directives.NONE;
    private State state = State.WORKING;
    private boolean stopped;
    private boolean gaveUp;
    private boolean pausing;
    private boolean cancelled;
    private boolean revoked;
    private String whyLost = "";

    Running(
            Held<W> held,
            MonotonicClock clock,
            Consumer<WorkerEvent<W>> events,
            Consumer<Running<W>> whenEnded,
            long sentNanos) {
        this.held = held;
        this.clock = clock;
        this.events = events;
        this.whenEnded = whenEnded;
        this.sentNanos = sentNanos;
        thread = Thread.ofVirtual().name("orchestrion-work-" + held.id()).unstarted(this);
    }

    Thread thread() {
        return thread;
    }

    /// Interrupts the handler. What it then throws is reported as a failure, so that the work does
    /// not wait for its lease to run out. A report that has failed is not repeated.
    synchronized void stop() {
        if (state == State.WORKING || pausing) {
            thread.interrupt();
        }
        stopped = true;
    }

    /// Interrupts the handler of cancelled work. The lease is kept until the handler has ended.
    private void cancel() {
        if (state == State.WORKING && !cancelled) {
            cancelled = true;
            thread.interrupt();
        }
    }

    /// Takes the answer to a heartbeat. After the handler's end nothing is told to listeners, so
    /// that the outcome is the last event of the work.
    private synchronized void directed(Directives now) {
        boolean changed =
                now.pauseRequested() != directives.pauseRequested()
                        || now.cancelRequested() != directives.cancelRequested();
        directives = now;
        if (changed && state == State.WORKING) {
            told.run(() -> events.accept(new WorkerEvent.Directed<>(held.work(), now)));
        }
        if (now.cancelRequested()) {
            cancel();
        }
    }

    private synchronized void lose(String why, boolean forGood) {
        revoked = forGood;
        if (state == State.WORKING) {
            whyLost = why;
            held.lost();
            thread.interrupt();
        }
        if (state != State.ENDED) {
            state = State.LOST;
        }
    }

    /// From here on nobody interrupts the thread, which reports the outcome.
    private synchronized boolean reports() {
        boolean inTime = state == State.WORKING;
        gaveUp = stopped;
        stopped = false;
        state = inTime ? State.REPORTING : State.ENDED;
        Thread.interrupted();
        return inTime;
    }

    private synchronized boolean in(State asked) {
        return state == asked;
    }

    private synchronized void ended() {
        state = State.ENDED;
    }

    @Override
    public void run() {
        Thread keeper =
                Thread.ofVirtual().name("orchestrion-lease-" + held.id()).start(this::keepLease);
        try {
            Outcome outcome = handled();
            // The lease is kept while the outcome is under way, which may take several tries.
            WorkerEvent<W> end = reports() ? reported(outcome) : lost(outcome);
            told.await();
            events.accept(end);
        } finally {
            ended();
            keeper.interrupt();
            joined(keeper);
            whenEnded.accept(this);
        }
    }

    private static void joined(Thread keeper) {
        try {
            keeper.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Outcome handled() {
        try {
            return new Outcome.Done(held.handled());
        } catch (Throwable e) {
            return new Outcome.Broke(e);
        }
    }

    private WorkerEvent<W> reported(Outcome outcome) {
        while (true) {
            try {
                return report(outcome);
            } catch (OrchestrionException e) {
                if (e.status() == 409 || e.status() == 404) {
                    return new WorkerEvent.LeaseLost<>(held.work(), String.valueOf(e.getMessage()));
                }
                if (!e.passing() || !mayTryAgain()) {
                    return new WorkerEvent.ReportFailed<>(held.work(), e);
                }
            }
        }
    }

    /// The server keeps what the holder of cancelled work reports on purpose, as evidence of what
    /// was done. An interrupt that the handler let through is not reported.
    private WorkerEvent<W> lost(Outcome outcome) {
        try {
            switch (outcome) {
                case Outcome.Done(var result) when wasRevoked() -> held.complete(result);
                case Outcome.Broke(TaskFailure cause) when wasRevoked() ->
                        held.fail(cause, reason(cause));
                case Outcome.Done _, Outcome.Broke _ -> {}
            }
        } catch (OrchestrionException | IllegalArgumentException e) {
            // The expected refusal, or the server cannot be reached.
        }
        return new WorkerEvent.LeaseLost<>(held.work(), whyLost);
    }

    private synchronized boolean wasRevoked() {
        return revoked;
    }

    private boolean mayTryAgain() {
        synchronized (this) {
            if (stopped) {
                return false;
            }
            pausing = true;
        }
        boolean paused;
        try {
            clock.sleep(retryPause());
            paused = true;
        } catch (InterruptedException e) {
            paused = false;
        }
        synchronized (this) {
            pausing = false;
            Thread.interrupted();
            return paused && state == State.REPORTING;
        }
    }

    private WorkerEvent<W> report(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Done(var result) -> completed(result);
            case Outcome.Broke(var cause) when cancelled ->
                    new WorkerEvent.Cancelled<>(
                            held.cancelled(
                                    cause,
                                    cause instanceof JobFailure || cause instanceof TaskFailure
                                            ? reason(cause)
                                            : CANCELLED));
            case Outcome.Broke(TaskFailure cause) -> failed(cause, reason(cause));
            case Outcome.Broke(JobFailure cause) -> failed(cause, reason(cause));
            case Outcome.Broke(var cause) ->
                    gaveUp ? failed(null, STOPPED) : failed(cause, reason(cause));
        };
    }

    private WorkerEvent<W> completed(@Nullable String result) {
        try {
            return new WorkerEvent.Completed<>(held.complete(result));
        } catch (IllegalArgumentException e) {
            return failed(e, reason(e));
        } catch (OrchestrionException e) {
            // A result that the server refuses will be refused again.
            if (e.status() == 400 || e.status() == 413 || e.status() == 422) {
                return failed(e, reason(e));
            }
            throw e;
        }
    }

    private WorkerEvent<W> failed(@Nullable Throwable cause, String reason) {
        return new WorkerEvent.Failed<>(
                held.fail(cause, reason), reason, held.error(cause, reason));
    }

    /// The message, cut to the length that the contract allows, without splitting a character.
    private String reason(Throwable cause) {
        String message = cause.getMessage();
        String text = message == null || message.isBlank() ? cause.getClass().getName() : message;
        return Texts.clean(text, held.reasonMax());
    }

    private Duration retryPause() {
        return held.heartbeatInterval().dividedBy(10);
    }

    private void keepLease() {
        long interval = held.heartbeatInterval().toNanos();
        long renewed = sentNanos;
        long next = sentNanos + interval;
        try {
            while (true) {
                long now = clock.nanos();
                long believedUntil = renewed + believedNanos();
                if (now - believedUntil >= 0) {
                    lose("no heartbeat was answered in time", false);
                    return;
                }
                if (now - next < 0) {
                    long first = next - believedUntil < 0 ? next : believedUntil;
                    clock.sleep(Duration.ofNanos(first - now));
                    continue;
                }
                try {
                    // A heartbeat that hangs must leave time for another.
                    long within = Math.min(believedUntil - now, interval / 2);
                    Directives asked = held.heartbeat(Duration.ofNanos(within));
                    renewed = now;
                    next = now + interval;
                    directed(asked);
                } catch (OrchestrionException e) {
                    if (e.is(OrchestrionException.INTERRUPTED)) {
                        return;
                    }
                    if (!e.retryable()) {
                        lose(String.valueOf(e.getMessage()), e.is(LEASE_REVOKED));
                        return;
                    }
                    next = clock.nanos() + retryPause().toNanos();
                }
            }
        } catch (InterruptedException e) {
            // The work has ended.
        }
    }

    private long believedNanos() {
        long whole = held.lease().toNanos();
        return in(State.WORKING) ? whole / 3 * 2 : whole;
    }
}
