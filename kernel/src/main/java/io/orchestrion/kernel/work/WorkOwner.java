package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// An engine that makes work items and goes on when they end. Its row is locked before its items
/// and it is called in the transaction that ends one, so that the end and what follows from it are
/// one.
public interface WorkOwner {
    /// The word in `owner_kind`.
    String kind();

    /// Locks the owners' rows, in the given order.
    void lock(Tx tx, UUID accountId, List<UUID> ownerIds) throws SQLException;

    /// The item has ended. Whatever is written here is committed with the end or not at all;
    /// nothing may go over the network.
    void ended(Tx tx, WorkVerbs verbs, Step step) throws SQLException;

    /// The same for several of one account at once, for an engine that writes them together.
    default void endedAll(Tx tx, WorkVerbs verbs, UUID accountId, List<Step> steps)
            throws SQLException {
        for (Step step : steps) {
            ended(tx, verbs, step);
        }
    }
}
