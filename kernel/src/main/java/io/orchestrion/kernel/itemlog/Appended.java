package io.orchestrion.kernel.itemlog;

import io.orchestrion.kernel.work.WorkItem;

/// The outcome of a line that a holder wanted to add to its item's log.
public sealed interface Appended {
    record Added(LogEntry event) implements Appended {}

    /// No such item in this account and queue.
    record NotFound() implements Appended {}

    /// The sender does not hold the item, or no longer.
    record NotHeld(WorkItem item) implements Appended {}

    /// The log of the item takes no more, for now or for ever.
    ///
    /// @param what the bound that was reached, in words
    /// @param waitMs until it may be tried again; 0 for never
    record TooMany(String what, long max, long waitMs) implements Appended {}
}
