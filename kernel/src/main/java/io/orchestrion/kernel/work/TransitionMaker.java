package io.orchestrion.kernel.work;

import static io.orchestrion.kernel.work.WorkState.WAITING;

import io.orchestrion.kernel.lifecycle.TransitionTable;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.work.WorkItem.Settled;

import java.util.UUID;
import java.util.function.Consumer;

/// Makes the changes that the deciders decide on. Pure. Every change is a row of the profile's
/// table, or it throws.
final class TransitionMaker {
    private final Profile profile;
    private final RetentionRule retention;
    private final Plan plan;
    private final TransitionTable<WorkState, WorkEvent> table;

    TransitionMaker(
            Profile profile,
            RetentionRule retention,
            Plan plan,
            TransitionTable<WorkState, WorkEvent> table) {
        this.profile = profile;
        this.retention = retention;
        this.plan = plan;
        this.table = table;
    }

    /// The same, for items of an account on that plan.
    TransitionMaker under(Plan other) {
        return new TransitionMaker(profile, retention, other, table);
    }

    /// Sets the state of every decided change, and throws for a change that the table does not
    /// have. Some statements set a state without a decision; the database's guard holds those to
    /// the same table.
    Transition make(
            WorkItem item, WorkEvent event, WorkState to, long nowMs, Consumer<WorkDraft> changes) {
        if (!table.allows(item.state(), event, to)) {
            throw new IllegalStateException(
                    profile.name() + " has no row " + item.state() + " " + event + " " + to);
        }
        WorkDraft draft = item.draft();
        draft.state = to;
        if (to != WAITING) {
            draft.turn = draft.turn.waitingFor(null);
        }
        changes.accept(draft);
        draft.times = draft.times.updated(nowMs);
        if (History.shows(profile, event, item.waitReason())) {
            draft.place = item.place().after(event, item.state(), to, nowMs);
        }
        return new Transition(event, item, draft.build());
    }

    /// The lease ends. The item goes back to the queue, waits, or has ended.
    void letGo(WorkDraft draft, WorkState to, long delayMs, String why, long nowMs) {
        draft.attempts = draft.attempts.failed(why, nowMs);
        if (to.ended()) {
            end(draft, nowMs);
            return;
        }
        Drafts.goBack(draft, to, nowMs + delayMs);
    }

    void end(WorkDraft draft, long nowMs) {
        UUID token = draft.lease.token();
        if (token != null) {
            // Ended without a report of the holder, unless the caller says otherwise afterwards.
            draft.holding = draft.holding.settledBy(new Settled(token, null));
        }
        draft.lease = draft.lease.dropped();
        draft.turn = draft.turn.waitingFor(null);
        draft.times = draft.times.finished(nowMs, retention.purgeAfterMs(profile, plan, nowMs));
    }
}
