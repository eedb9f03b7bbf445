package io.orchestrion.kernel.wake;

import io.orchestrion.kernel.policy.Requirements;

import java.util.UUID;

/// Told after a commit that work has become claimable, or that anything has happened to it.
@FunctionalInterface
public interface WakeSink {
    WakeSink NONE = (_, _, _, _) -> {};

    void ready(UUID accountId, String queue, String kind, int count);

    /// The same of items that were just created, and so are the last of their rank.
    default void created(UUID accountId, String queue, String kind, int count) {
        ready(accountId, queue, kind, count);
    }

    /// The same for an item that goes to workers whose policy it suits.
    default void fits(UUID accountId, String queue, String kind, Requirements requirements) {}

    /// The log of the item has a new line.
    default void logged(UUID accountId, UUID workId) {}

    /// There are new events of the queue.
    default void happened(UUID accountId, String queue) {}
}
