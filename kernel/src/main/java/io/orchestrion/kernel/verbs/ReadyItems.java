package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// For engines and doors that choose themselves which of their items are claimed next, by an order
/// of their own. They find candidates here or in the view `item`, and claim each by its id with
/// [Command.Lease]. How claims find their rows stays in the kernel.
public final class ReadyItems {
    private ReadyItems() {}

    /// Items that a claim could take now: ready ones and due ones, at most so many of either, each
    /// in the order of claims. Read without a lock, so that some may be gone when they are claimed.
    /// Items whose type has limits are not among them.
    public static List<UUID> claimable(Tx tx, UUID account, String queue, String kind, int most)
            throws SQLException {
        return ReadySql.claimable(tx, account, queue, kind, most);
    }

    /// Locks those of the items that are ready and that no other transaction is writing. Items are
    /// locked alone, as claims do it: no owner is locked and nobody is waited for. Until the end of
    /// the transaction a [Command.Lease] of one of them is granted.
    public static List<UUID> lock(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        return ReadySql.lockReady(tx, account, ids);
    }
}
