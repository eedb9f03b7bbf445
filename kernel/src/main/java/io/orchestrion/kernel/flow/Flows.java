package io.orchestrion.kernel.flow;

import io.orchestrion.kernel.db.Database;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Shows which items wait in types with limits.
public final class Flows {
    private final Database database;

    public Flows(Database database) {
        this.database = database;
    }

    /// @param after the key that the page before ended with, null for the first
    public FlowView view(
            UUID account, String queue, String kind, @Nullable FlowKey after, int most) {
        return database.transaction(
                tx ->
                        new FlowView(
                                FlowSql.settings(tx, account, queue, kind),
                                FlowSql.waitingKeys(
                                        tx,
                                        account,
                                        queue,
                                        kind,
                                        after == null ? "" : after.written(),
                                        most,
                                        FlowView.COUNTED_AT_MOST),
                                tx.nowMillis()));
    }
}
