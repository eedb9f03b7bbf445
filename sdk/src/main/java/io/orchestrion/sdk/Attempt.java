package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// The context of one attempt at a claimed task. Heartbeats write it from one thread, and the
/// handler uses it from another.
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
        // The deadline is known from the claim, before the first heartbeat is answered.
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
            // The report may have been sent already. Another report would then not be a repeat of
            // the same request.
            throw new IllegalStateException("the handler has ended");
        }
        report = change.apply(report);
    }

    /// What the handler has reported, without its result.
    synchronized TaskReport report() {
        return report;
    }

    /// Takes the answer to a heartbeat. It does not wait for listeners.
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

    /// The handler has ended. From now on no listener is called and no report is accepted.
    synchronized void end() {
        over = true;
    }
}
