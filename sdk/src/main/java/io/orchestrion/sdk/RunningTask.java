package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Consumer;

/// One claimed task on its thread, with a second thread that keeps its lease.
///
/// The lease is believed for two thirds of its time, counted on this machine's monotonic clock from
/// before the request was sent that granted or renewed it. The last third is what the handler has
/// to stop in, before the server can give the task to another.
final class RunningTask implements Runnable {
    static final int REASON_MAX = 500;

    private enum State {
        RUNNING,
        LOST,
        ENDED
    }

    private sealed interface Outcome {
        record Done(@Nullable String result) implements Outcome {}

        record Broke(Throwable cause) implements Outcome {}
    }

    private final OrchestrionClient client;
    private final TaskHandler handler;
    private final MonotonicClock clock;
    private final Consumer<WorkerEvent> events;
    private final Consumer<RunningTask> whenEnded;
    private final ClaimedTask claimed;
    private final long sentNanos;
    private final long believedNanos;
    private final Thread thread;
    private State state = State.RUNNING;
    private boolean stopped;
    private String whyLost = "";

    RunningTask(
            OrchestrionClient client,
            TaskHandler handler,
            MonotonicClock clock,
            Consumer<WorkerEvent> events,
            Consumer<RunningTask> whenEnded,
            ClaimedTask claimed,
            long sentNanos) {
        this.client = client;
        this.handler = handler;
        this.clock = clock;
        this.events = events;
        this.whenEnded = whenEnded;
        this.claimed = claimed;
        this.sentNanos = sentNanos;
        believedNanos = claimed.task().leaseDuration().toNanos() / 3 * 2;
        thread = Thread.ofVirtual().name("orchestrion-task-" + claimed.id()).unstarted(this);
    }

    Thread thread() {
        return thread;
    }

    /// Interrupts the handler; what it then throws is reported as a failure, so that the task need
    /// not wait for its lease to run out.
    synchronized void stop() {
        if (state == State.RUNNING) {
            stopped = true;
            thread.interrupt();
        }
    }

    private synchronized void lose(String why) {
        if (state == State.RUNNING) {
            state = State.LOST;
            whyLost = why;
            thread.interrupt();
        }
    }

    /// From here on nobody interrupts the thread, which has an outcome to report.
    private synchronized boolean endsInTime() {
        boolean inTime = state == State.RUNNING;
        state = State.ENDED;
        Thread.interrupted();
        return inTime;
    }

    @Override
    public void run() {
        Thread keeper =
                Thread.ofVirtual().name("orchestrion-lease-" + claimed.id()).start(this::keepLease);
        try {
            Outcome outcome = handled();
            // The lease is kept while the outcome is under way, which may take several tries.
            events.accept(
                    endsInTime()
                            ? reported(outcome)
                            : new WorkerEvent.LeaseLost(claimed.task(), whyLost));
        } finally {
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
            return new Outcome.Done(handler.handle(claimed.task()));
        } catch (Throwable e) {
            return new Outcome.Broke(e);
        }
    }

    private WorkerEvent reported(Outcome outcome) {
        try {
            return switch (outcome) {
                case Outcome.Done(var result) -> completed(result);
                case Outcome.Broke(TaskFailure cause) -> failed(reason(cause), cause.retryAfter());
                case Outcome.Broke(var cause) ->
                        failed(stopped ? "The worker was stopped." : reason(cause), null);
            };
        } catch (OrchestrionException e) {
            boolean lost = e.is("lease_expired") || e.is("invalid_transition");
            return lost
                    ? new WorkerEvent.LeaseLost(claimed.task(), String.valueOf(e.getMessage()))
                    : new WorkerEvent.ReportFailed(claimed.task(), e);
        }
    }

    private WorkerEvent completed(@Nullable String result) {
        try {
            return new WorkerEvent.Completed(client.complete(claimed, result));
        } catch (IllegalArgumentException e) {
            return failed(reason(e), null);
        } catch (OrchestrionException e) {
            // A result that the server does not take will not become better by waiting.
            if (e.is("invalid_request")) {
                return failed(reason(e), null);
            }
            throw e;
        }
    }

    private WorkerEvent failed(String reason, @Nullable Duration retryAfter) {
        Task task = client.fail(claimed.id(), claimed.leaseToken(), reason, retryAfter);
        return new WorkerEvent.Failed(task, reason);
    }

    /// The message as the contract takes it: no more than 500 characters, and no half of one.
    static String reason(Throwable cause) {
        String message = cause.getMessage();
        String text = message == null || message.isBlank() ? cause.getClass().getName() : message;
        var clean = new StringBuilder();
        text.codePoints()
                .limit(REASON_MAX)
                .map(c -> c == 0 || (c >= 0xD800 && c <= 0xDFFF) ? 0xFFFD : c)
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }

    private void keepLease() {
        long interval = claimed.heartbeatInterval().toNanos();
        long believedUntil = sentNanos + believedNanos;
        long next = sentNanos + interval;
        try {
            while (true) {
                long now = clock.nanos();
                if (now - believedUntil >= 0) {
                    lose("no heartbeat was answered in time");
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
                    client.heartbeatOnce(claimed, Duration.ofNanos(within));
                    believedUntil = now + believedNanos;
                    next = now + interval;
                } catch (OrchestrionException e) {
                    if (e.is(OrchestrionException.INTERRUPTED)) {
                        return;
                    }
                    if (!e.retryable()) {
                        lose(String.valueOf(e.getMessage()));
                        return;
                    }
                    next = clock.nanos() + interval / 10;
                }
            }
        } catch (InterruptedException e) {
            // The task has ended.
        }
    }
}
