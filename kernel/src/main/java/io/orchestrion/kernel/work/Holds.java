package io.orchestrion.kernel.work;

import static io.orchestrion.kernel.work.WorkState.READY;
import static io.orchestrion.kernel.work.WorkState.WAITING;

import io.orchestrion.kernel.lifecycle.TransitionTable;

import org.jspecify.annotations.Nullable;

/// Decides what happens when an item is held back or released, and when its holder is asked to
/// pause. Pure.
final class Holds {
    private final Profile profile;
    private final TransitionTable<WorkState, WorkEvent> table;
    private final TransitionMaker maker;

    Holds(Profile profile, TransitionTable<WorkState, WorkEvent> table, TransitionMaker maker) {
        this.profile = profile;
        this.table = table;
        this.maker = maker;
    }

    /// Only a holder can be asked to pause. An item without a holder is held back with
    /// [Command.Hold] instead.
    Decision askPause(WorkItem item, boolean pause, long nowMs) {
        StopRequest asked = pause ? StopRequest.PAUSE : StopRequest.NONE;
        if (!item.leaseLive(nowMs)) {
            return new Decision.Refuse(new Refusal.WrongState(item));
        }
        if (item.holding().stop() == asked || item.cancelRequested()) {
            return new Decision.Nothing(item);
        }
        WorkDraft draft = item.draft();
        draft.holding = draft.holding.asked(asked);
        draft.times = draft.times.updated(nowMs);
        return new Decision.Touch(draft.build());
    }

    Decision hold(WorkItem item, @Nullable String why, long nowMs) {
        if (item.waitReason() == WaitReason.HOLD) {
            return new Decision.Nothing(item);
        }
        if (!table.allows(item.state(), WorkEvent.HOLD)) {
            return new Decision.Refuse(
                    item.state().held() ? new Refusal.Held(item) : new Refusal.WrongState(item));
        }
        Transition transition =
                maker.make(
                        item,
                        WorkEvent.HOLD,
                        WAITING,
                        nowMs,
                        draft -> draft.turn = draft.turn.waitingFor(WaitReason.HOLD));
        return WorkDecider.change(transition.saying(why));
    }

    /// The item becomes what it would be without the hold. If its time is still ahead, it waits for
    /// that.
    Decision release(WorkItem item, boolean toDependency, long nowMs) {
        if (!table.allows(item.state(), WorkEvent.RELEASE)
                || (item.waitReason() != WaitReason.HOLD
                        && item.waitReason() != WaitReason.DEPENDENCY)) {
            return new Decision.Refuse(new Refusal.WrongState(item));
        }
        // A timer never becomes ready. If its time has passed meanwhile, the promoter ends it.
        Long runAt = item.turn().runAtMs();
        boolean ahead = profile.endsWhenDue() || (runAt != null && runAt > nowMs);
        WaitReason left = toDependency ? WaitReason.DEPENDENCY : ahead ? WaitReason.SCHEDULE : null;
        return WorkDecider.change(
                maker.make(
                        item,
                        WorkEvent.RELEASE,
                        left == null ? READY : WAITING,
                        nowMs,
                        draft -> draft.turn = draft.turn.waitingFor(left)));
    }
}
