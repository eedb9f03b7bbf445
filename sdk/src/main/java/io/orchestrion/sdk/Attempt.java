package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// The context of a claimed task: written by the heartbeats on one side and by the handler on the
/// other.
final class Attempt implements TaskContext {
    private static final System.Logger LOG = System.getLogger(Worker.class.getName());

    private final ClaimedTask claimed;
    private final InOrder calls = new InOrder();
    private final List<Consumer<Directives>> listeners = new ArrayList<>();
    private final Directives atFirst;
    private Directives directives;
    private @Nullable Instant leaseExpiresAt;
    private TaskReport report = TaskReport.NOTHING;
    private boolean over;

    Attempt(ClaimedTask claimed) {
        this.claimed = claimed;
        leaseExpiresAt = claimed.task().leaseExpiresAt();
        // No answer to a heartbeat is needed to know this much.
        atFirst = new Directives(false, false, claimed.task().giveUpAt());
        directives = atFirst;
    }

    @Override
    public ClaimedTask claimed() {
        return claimed;
    }

    @Override
    public int attempt() {
        return claimed.task().attemptCount();
    }

    @Override
    public @Nullable String correlationId() {
        return claimed.task().correlationId();
    }

    @Override
    public synchronized @Nullable Instant leaseExpiresAt() {
        return leaseExpiresAt;
    }

    @Override
    public synchronized Directives directives() {
        return directives;
    }

    @Override
    public synchronized void onDirectives(Consumer<Directives> listener) {
        listeners.add(listener);
        if (!directives.equals(atFirst)) {
            call(listener, directives);
        }
    }

    @Override
    public void usage(String json) {
        TaskReport checked = TaskReport.success().usage(json).build();
        report(now -> new TaskReport(null, checked.usage(), now.logsRef()));
    }

    @Override
    public void logsRef(String where) {
        TaskReport checked = TaskReport.success().logsRef(where).build();
        report(now -> new TaskReport(null, now.usage(), checked.logsRef()));
    }

    private synchronized void report(UnaryOperator<TaskReport> change) {
        if (over) {
            // The report may be on its way already; one that differs would be no repeat of it.
            throw new IllegalStateException("the handler has ended");
        }
        report = change.apply(report);
    }

    /// What the handler has said beside its result.
    synchronized TaskReport report() {
        return report;
    }

    /// A heartbeat was answered. This does not wait for any listener.
    synchronized void renewed(Renewal renewal) {
        leaseExpiresAt = renewal.task().leaseExpiresAt();
        if (!directives.equals(renewal.directives())) {
            directives = renewal.directives();
            listeners.forEach(listener -> call(listener, directives));
        }
    }

    private void call(Consumer<Directives> listener, Directives told) {
        calls.run(
                () -> {
                    if (isOver()) {
                        return;
                    }
                    try {
                        listener.accept(told);
                    } catch (RuntimeException e) {
                        LOG.log(
                                Level.WARNING,
                                "a listener of task " + claimed.id() + " failed on " + told,
                                e);
                    }
                });
    }

    private synchronized boolean isOver() {
        return over;
    }

    /// The handler has ended: nothing more is told to it, and nothing more is taken from it.
    synchronized void end() {
        over = true;
    }
}
