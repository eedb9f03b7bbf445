package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Consumer;

/// One piece of work on its thread, with a second thread that keeps its lease.
///
/// The lease is believed for two thirds of its time, counted on this machine's monotonic clock from
/// before the request was sent that granted or renewed it. The last third is what the handler has
/// to stop in, before the server can give the work to another. An outcome that only waits to be
/// reported harms nobody: it is tried for the whole of the lease, which its token guards, so that
/// work outlives a server that restarts.
final class Running<W> implements Runnable {
    private static final String STOPPED = "The worker was stopped.";
    private static final String CANCELLED = "The worker has given it up, as was asked for.";

    /// As `docs/reference/errors.md` has it: the work is over, and nobody else has it.
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

    /// Listeners are not called by the thread that keeps the lease.
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

    /// Interrupts the handler; what it then throws is reported as a failure, so that the work need
    /// not wait for its lease to run out. A report that has failed is not tried again.
    synchronized void stop() {
        if (state == State.WORKING || pausing) {
            thread.interrupt();
        }
        stopped = true;
    }

    /// Somebody wants it ended. The lease is kept until the handler has come to an end.
    private void cancel() {
        if (state == State.WORKING && !cancelled) {
            cancelled = true;
            thread.interrupt();
        }
    }

    /// A heartbeat was answered. From the handler's end on nothing more is told, so that the
    /// outcome is the last thing that anybody hears of the work.
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

    /// From here on nobody interrupts the thread, which has an outcome to report.
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

    /// Of work that was cancelled while it was held, the server keeps what its holder says on
    /// purpose, as evidence of what was done. An interrupt that was let through says nothing.
    private WorkerEvent<W> lost(Outcome outcome) {
        try {
            switch (outcome) {
                case Outcome.Done(var result) when wasRevoked() -> held.complete(result);
                case Outcome.Broke(TaskFailure cause) when wasRevoked() ->
                        held.fail(cause, reason(cause));
                case Outcome.Done _, Outcome.Broke _ -> {}
            }
        } catch (OrchestrionException | IllegalArgumentException e) {
            // The refusal that was to be expected, or nobody to tell it to.
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
            // A result that the server does not take will not become better by waiting.
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

    /// The message as the contract takes it: no longer than it allows, and no half of a character.
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
