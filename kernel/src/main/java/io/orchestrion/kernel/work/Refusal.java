package io.orchestrion.kernel.work;

import io.orchestrion.kernel.flow.KeyLimits;

/// Why a command was not carried out. Nothing was changed, except where a case says so.
public sealed interface Refusal {
    /// No such item in this account and queue.
    record NotFound() implements Refusal {}

    /// The item's state does not allow it.
    record WrongState(WorkItem item) implements Refusal {}

    /// Somebody holds it with a live lease.
    record Held(WorkItem item) implements Refusal {}

    /// The caller's lease ran out, seen by a sweeper or not.
    record LeaseExpired(WorkItem item) implements Refusal {}

    /// The item is held under another lease than the one that the caller shows.
    record LeaseLost(WorkItem item) implements Refusal {}

    /// The item was cancelled while the caller held it.
    record Revoked(WorkItem item) implements Refusal {}

    /// It waits for something, so it cannot be claimed yet.
    record NotReady(WorkItem item) implements Refusal {}

    /// The type is paused, so none of its items can be claimed for now.
    record KindPaused(WorkItem item) implements Refusal {}

    /// It belongs to an engine, which alone may do this.
    ///
    /// @param words what it belongs to and what to do instead, for people
    record Managed(WorkItem item, String words) implements Refusal {}

    /// The owner does not accept what the holder completed the item with. The item has failed with
    /// this error.
    record Rejected(WorkItem item, WorkError error) implements Refusal {}

    /// All leases that this claim was given have ended.
    record ClaimOver() implements Refusal {}

    /// The claim's id was used for another claim.
    record ClaimConflict() implements Refusal {}

    /// The plan allows no more live leases.
    ///
    /// @param waitMs until the first of them ends if nobody renews it
    record TooManyHeld(int max, long waitMs) implements Refusal {}

    /// The plan allows no more claims this hour.
    record TooManyClaims(int max, long waitMs) implements Refusal {}

    /// The item's key has no free slot, or no start left.
    record KeyBusy(WorkItem item, KeyLimits.Busy busy) implements Refusal {}
}
