package io.orchestrion.kernel.dependency;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.WorkItem;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/// Notes, in the transaction in which an item ends, that others wait for it. After the commit it
/// calls the resolver. Items that nobody waits for cost nothing.
public final class ParentEnds {
    private volatile Consumer<UUID> nudge = _ -> {};

    /// @param to called with the account after each commit; must not block
    public void onEnd(Consumer<UUID> to) {
        nudge = to;
    }

    /// @param items that changed just now, ended or not
    public void note(Tx tx, UUID account, List<WorkItem> items) throws SQLException {
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
