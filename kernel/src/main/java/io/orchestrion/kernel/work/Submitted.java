package io.orchestrion.kernel.work;

import io.orchestrion.kernel.idempotency.StoredAnswer;
import io.orchestrion.kernel.plan.Plan;

import java.util.UUID;

/// What became of a submission.
public sealed interface Submitted {
    /// The item that was made. This is for engines: their items have no idempotency key and no plan
    /// counts them. So any other outcome is a mistake, and fails the transaction.
    default WorkItem made() {
        if (this instanceof Created(var view)) {
            return view.item();
        }
        throw new IllegalStateException("no item was made: " + this);
    }

    record Created(WorkView view) implements Submitted {}

    /// Its first time lies too far behind or ahead of the database's time.
    record ScheduleRefused(long nowMs) implements Submitted {}

    /// The key had been used for the same request. This is the answer that it was given.
    record Replayed(StoredAnswer answer) implements Submitted {}

    /// The key had been used for another request.
    record KeyConflict() implements Submitted {}

    /// The first request with this key is still under way.
    record KeyInFlight() implements Submitted {}

    /// It names a parent that the account does not have in this queue.
    ///
    /// @param place among those it names
    record UnknownParent(UUID id, int place) implements Submitted {}

    /// Another item with the same unique key is still there.
    record UniqueConflict(WorkItem existing, long nowMs) implements Submitted {}

    /// Another item with the same unique key is there, and the submission asked to be given that
    /// one.
    record Existing(WorkView view) implements Submitted {}

    /// The month's tasks are used up.
    ///
    /// @param planExpired whether the plan that ended last would have allowed it
    record OverQuota(Plan plan, long used, boolean planExpired) implements Submitted {}
}
