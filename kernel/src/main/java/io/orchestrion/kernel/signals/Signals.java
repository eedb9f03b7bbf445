package io.orchestrion.kernel.signals;

import java.util.List;

/// A listener for logs, metrics and traces. It is called after the commit, on the committer's
/// thread, so nothing here may block or fail. Numbers that must survive a crash are not taken from
/// here but counted from the event log.
public interface Signals {
    /// Nobody listens.
    Signals NONE = new Signals() {};

    /// Whether [#transitions] wants to know of a queue, or [#subjects] of the log of an engine.
    /// Asked once a batch: where nobody wants to know, nothing is collected.
    default boolean follows(String queue) {
        return false;
    }

    /// State changes of one account in one queue that were just committed, in their order.
    default void transitions(List<TransitionSeen> seen) {}

    /// Events of engines' subjects in one log of one account that were just committed, in their
    /// order.
    default void subjects(List<SubjectSeen> seen) {}

    /// Requests with an idempotency key: repeated ones that got the first answer, and first ones
    /// that made something.
    default void deduplicated(String queue, int hits, int created) {}

    /// Signs of life that renewed a lease.
    default void heartbeats(String queue, int count) {}

    /// The database failed a transaction.
    ///
    /// @param kind what is known about the write, one of few words
    default void databaseError(String kind) {}

    /// An attempt to deliver to a webhook has ended.
    default void delivery(DeliverySeen seen) {}

    /// How busy the runners of this process are.
    ///
    /// @param available how many more pieces of work they could take
    default void runners(int available, int busy) {}

    /// Where spans go.
    default Tracing tracing() {
        return Tracing.NONE;
    }
}
