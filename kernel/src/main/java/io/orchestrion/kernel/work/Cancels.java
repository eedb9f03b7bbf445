package io.orchestrion.kernel.work;

import static io.orchestrion.kernel.work.WorkState.CANCELLED;
import static io.orchestrion.kernel.work.WorkState.READY;
import static io.orchestrion.kernel.work.WorkState.WAITING;

import io.orchestrion.kernel.lifecycle.TransitionTable;

import java.util.ArrayList;

/// Decides what a cancellation does to an item. Pure.
final class Cancels {
    private final Profile profile;
    private final TransitionTable<WorkState, WorkEvent> table;
    private final TransitionMaker maker;
    private final Lapses lapses;

    Cancels(
            Profile profile,
            TransitionTable<WorkState, WorkEvent> table,
            TransitionMaker maker,
            Lapses lapses) {
        this.profile = profile;
        this.table = table;
        this.maker = maker;
        this.lapses = lapses;
    }

    /// With force a held item is cancelled at once, whether or not its lease is live. The holder
    /// learns of it when its next report is refused.
    Decision cancel(WorkItem item, boolean force, long nowMs) {
        var transitions = new ArrayList<Transition>();
        WorkItem current = item;
        if (current.leaseExpired(nowMs) && !cancels(current, force)) {
            current =
                    WorkDecider.add(
                            transitions, lapses.expired(current, WorkError.LEASE_EXPIRED, nowMs));
        }
        WorkItem target = current;
        if (table.allows(target.state(), WorkEvent.ASK_CANCEL) && !cancels(target, force)) {
            return target.cancelRequested()
                    ? new Decision.Nothing(target)
                    : WorkDecider.change(
                            maker.make(
                                    target,
                                    WorkEvent.ASK_CANCEL,
                                    target.state(),
                                    nowMs,
                                    draft ->
                                            draft.holding =
                                                    draft.holding.asked(StopRequest.CANCEL)));
        }
        if (!cancels(target, force)) {
            return WorkDecider.refuseAfter(
                    transitions,
                    target.state().held()
                            ? new Refusal.Held(target)
                            : new Refusal.WrongState(target));
        }
        WorkDecider.add(
                transitions,
                maker.make(
                        target,
                        WorkEvent.CANCEL,
                        CANCELLED,
                        nowMs,
                        draft -> maker.end(draft, nowMs)));
        return new Decision.Change(transitions, null);
    }

    /// Only an item that nobody has begun is withdrawn.
    Decision withdraw(WorkItem item, String reason, long nowMs) {
        if (item.state() != WAITING && item.state() != READY) {
            return new Decision.Refuse(new Refusal.WrongState(item));
        }
        Transition transition =
                maker.make(
                        item,
                        WorkEvent.CANCEL,
                        CANCELLED,
                        nowMs,
                        draft -> {
                            maker.end(draft, nowMs);
                            draft.attempts = draft.attempts.failed(reason, nowMs);
                        });
        return WorkDecider.change(transition.saying(reason).reporting(Report.NONE));
    }

    private boolean cancels(WorkItem item, boolean force) {
        return table.allows(item.state(), WorkEvent.CANCEL)
                && (profile.cancelling().from().contains(item.state())
                        || (force && profile.cancelling().forcedFrom().contains(item.state())));
    }
}
