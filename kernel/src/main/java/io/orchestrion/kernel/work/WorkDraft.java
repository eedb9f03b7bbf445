package io.orchestrion.kernel.work;

import io.orchestrion.kernel.work.WorkItem.Attempts;
import io.orchestrion.kernel.work.WorkItem.Holding;
import io.orchestrion.kernel.work.WorkItem.Lease;
import io.orchestrion.kernel.work.WorkItem.Links;
import io.orchestrion.kernel.work.WorkItem.Place;
import io.orchestrion.kernel.work.WorkItem.Times;
import io.orchestrion.kernel.work.WorkItem.Turn;

/// A work item being changed. It has a field for each group that can change. Only the decider and
/// the submitter make one.
final class WorkDraft {
    private final WorkItem from;
    WorkState state;
    Turn turn;
    Attempts attempts;
    Lease lease;
    Holding holding;
    Times times;
    Place place;
    Links links;

    WorkDraft(WorkItem from) {
        this.from = from;
        state = from.state();
        turn = from.turn();
        attempts = from.attempts();
        lease = from.lease();
        holding = from.holding();
        times = from.times();
        place = from.place();
        links = from.links();
    }

    WorkItem build() {
        return new WorkItem(
                from.identity(),
                state,
                turn,
                attempts,
                lease,
                holding,
                times,
                place,
                links,
                from.trail());
    }
}
