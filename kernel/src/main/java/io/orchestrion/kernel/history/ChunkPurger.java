package io.orchestrion.kernel.history;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sweep.AccountPurger;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Removes the rows of the log whose items are all gone. Their content was removed with the items.
/// Only room is gained here, so there is no hurry.
public final class ChunkPurger extends AccountPurger {
    public ChunkPurger(Database database) {
        super("chunk-purger", database);
    }

    @Override
    protected List<UUID> accounts(Tx tx, int most) throws SQLException {
        return ChunkSql.accountsWithOldChunks(tx, most);
    }

    @Override
    protected int purge(Tx tx, UUID account, int most) throws SQLException {
        return ChunkSql.purge(tx, account, most);
    }
}
