package io.orchestrion.kernel.history;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.signals.Signals;
import io.orchestrion.kernel.signals.TransitionSeen;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.kernel.work.WorkState;

import java.util.List;
import java.util.UUID;

/// Tells the listeners what the verbs have done, after the commit. For a queue without listeners
/// nothing is collected.
public final class WorkSignals {
    private final Signals signals;

    public WorkSignals(Signals signals) {
        this.signals = signals;
    }

    /// @param events of one account
    public void happened(Tx tx, UUID account, String log, List<EventRow> events) {
        if (signals.follows(log)) {
            tx.afterCommit(
                    () ->
                            signals.transitions(
                                    events.stream()
                                            .filter(event -> event.log().equals(log))
                                            .map(event -> seen(account, event))
                                            .toList()));
        }
    }

    private static TransitionSeen seen(UUID account, EventRow event) {
        WorkState from = event.from();
        WorkError error = event.error();
        OwnerRef owner = event.owner();
        return new TransitionSeen(
                event.log(),
                account,
                event.workId(),
                event.kind(),
                event.event().word(),
                from == null ? null : from.word(),
                event.to().word(),
                event.attempt(),
                event.atMs(),
                event.sinceMs(),
                event.holder(),
                event.detail(),
                error == null ? null : error.code(),
                event.trace(),
                event.correlationId(),
                owner == null ? null : new TransitionSeen.Owner(owner.kind(), owner.id()));
    }

    /// Leases were renewed.
    public void beaten(Tx tx, String queue, int count) {
        if (count > 0) {
            tx.afterCommit(() -> signals.heartbeats(queue, count));
        }
    }

    /// Requests with a key were answered.
    public void deduplicated(Tx tx, String queue, int hits, int created) {
        if (hits + created > 0) {
            tx.afterCommit(() -> signals.deduplicated(queue, hits, created));
        }
    }
}
