package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// For engines and doors that have an order of their own for what is claimed next. They find
/// candidates here or in the view `item`, and claim each by its id with [Command.Lease]. How claims
/// find their rows stays in the kernel.
public final class ReadyItems {
    private ReadyItems() {}

    /// Items that a claim could take now: at most so many ready ones and so many due ones, each in
    /// the order of claims. They are read without a lock, so some may be taken by others before
    /// they are claimed here. Items whose type has limits are not among them.
    public static List<UUID> claimable(Tx tx, UUID account, String queue, String kind, int most)
            throws SQLException {
        return ReadySql.claimable(tx, account, queue, kind, most);
    }

    /// Locks those of the items that are ready and that no other transaction is writing. Like a
    /// claim, it locks no owner and waits for nobody. Until the end of the transaction a
    /// [Command.Lease] of such an item is granted.
    public static List<UUID> lock(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        return ReadySql.lockReady(tx, account, ids);
    }
}
