package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;

/// A claimed task. A task that is cancelled while it is held loses its lease.
final class HeldTask implements Held<Task> {
    private static final System.Logger LOG = System.getLogger(Worker.class.getName());

    /// The server's code for a holder that lets go of a task before it is done.
    private static final String GIVEN_BACK = "given_back";

    private final OrchestrionClient client;
    private final ContextHandler handler;
    private final ClaimedTask claimed;
    private final Attempt attempt;

    HeldTask(OrchestrionClient client, ContextHandler handler, ClaimedTask claimed) {
        this.client = client;
        this.handler = handler;
        this.claimed = claimed;
        attempt = new Attempt(claimed);
    }

    @Override
    public UUID id() {
        return claimed.id();
    }

    @Override
    public Task work() {
        return claimed.task();
    }

    @Override
    public Duration lease() {
        return claimed.task().leaseDuration();
    }

    @Override
    public Duration heartbeatInterval() {
        return claimed.heartbeatInterval();
    }

    @Override
    public Directives heartbeat(Duration within) {
        Renewal renewal = client.heartbeatOnce(claimed, within);
        attempt.renewed(renewal);
        return renewal.directives();
    }

    @Override
    public @Nullable String handled() throws Exception {
        try {
            return handler.handle(claimed.task(), attempt);
        } finally {
            attempt.end();
        }
    }

    @Override
    public Task complete(@Nullable String result) {
        return told(attempt.report(), report -> client.complete(claimed, result, report));
    }

    @Override
    public Task fail(@Nullable Throwable cause, String reason) {
        Duration wait = cause instanceof TaskFailure failure ? failure.retryAfter() : null;
        return told(
                report(cause, reason),
                report -> client.fail(claimed.id(), claimed.leaseToken(), reason, wait, report));
    }

    /// Reports what the handler says about it, for example that something is half done; the server
    /// keeps it.
    @Override
    public Task cancelled(Throwable cause, String reason) {
        return fail(cause, reason);
    }

    private TaskReport report(@Nullable Throwable cause, String reason) {
        TaskReport own =
                cause == null
                        ? TaskReport.failure(GIVEN_BACK, reason).build()
                        : cause instanceof TaskFailure failure
                                ? failure.report()
                                : TaskReport.NOTHING;
        return own.or(attempt.report());
    }

    /// Sends a report. Reports are checked when they are built, but if the server refuses one all
    /// the same, the outcome is sent without it.
    private Task told(TaskReport report, Function<TaskReport, Task> send) {
        try {
            return send.apply(report);
        } catch (OrchestrionException e) {
            if (e.status() != 400 || report.equals(TaskReport.NOTHING)) {
                throw e;
            }
            Task task = send.apply(TaskReport.NOTHING);
            LOG.log(
                    Level.WARNING,
                    "error, usage and logs reference of task {0} are left out: {1}",
                    claimed.id(),
                    e.getMessage());
            return task;
        }
    }

    @Override
    public TaskReport.@Nullable ReportedError error(@Nullable Throwable cause, String reason) {
        return report(cause, reason).error();
    }

    @Override
    public int reasonMax() {
        return TaskReport.MESSAGE_MAX;
    }
}
