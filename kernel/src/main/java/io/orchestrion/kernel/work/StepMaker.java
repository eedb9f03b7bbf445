package io.orchestrion.kernel.work;

import static io.orchestrion.kernel.work.WorkState.WAITING;

import io.orchestrion.kernel.lifecycle.TransitionTable;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.work.WorkItem.Settled;

import java.util.UUID;
import java.util.function.Consumer;

/// Makes the changes that the deciders decide on. Pure. Every change is a row of the profile's
/// table, or it throws.
final class StepMaker {
    private final Profile profile;
    private final RetentionRule retention;
    private final Plan plan;
    private final TransitionTable<WorkState, WorkEvent> table;

    StepMaker(
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
    StepMaker under(Plan other) {
        return new StepMaker(profile, retention, other, table);
    }

    /// The one place where a state is set; it refuses what the table does not have.
    Step step(
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
        return new Step(event, item, draft.build());
    }

    /// The lease ends; the item goes back, waits or is over.
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
            // Without the holder's word, until that is said to be otherwise.
            draft.holding = draft.holding.settledBy(new Settled(token, null));
        }
        draft.lease = draft.lease.dropped();
        draft.turn = draft.turn.waitingFor(null);
        draft.times = draft.times.finished(nowMs, retention.purgeAfterMs(profile, plan, nowMs));
    }
}
