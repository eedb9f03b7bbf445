package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/// Notes, in the transaction of an end, that others wait for it, and calls whoever tells them once
/// it is committed. Items that nobody waits for cost nothing.
final class ParentEnds {
    private volatile Consumer<UUID> nudge = _ -> {};

    /// @param to called with the account after each commit; must not block
    void onEnd(Consumer<UUID> to) {
        nudge = to;
    }

    /// @param items that changed just now, ended or not
    void note(Tx tx, UUID account, List<WorkItem> items) throws SQLException {
        List<WorkItem> parents =
                items.stream()
                        .filter(item -> item.links().hasDependents() && item.state().ended())
                        .toList();
        if (!parents.isEmpty()) {
            DependencySql.insertEnds(tx, account, parents);
            tx.afterCommit(() -> nudge.accept(account));
        }
    }
}
