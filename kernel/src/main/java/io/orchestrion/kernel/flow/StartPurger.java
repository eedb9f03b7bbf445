package io.orchestrion.kernel.flow;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;

import java.util.List;
import java.util.UUID;

/// Removes counts of starts that no window reaches any more.
public final class StartPurger implements Sweeper {
    private static final int ACCOUNTS = 50;
    private static final int BATCH = 500;

    private final Database database;

    public StartPurger(Database database) {
        this.database = database;
    }

    @Override
    public String name() {
        return "start-purger";
    }

    @Override
    public int fullPass() {
        return BATCH;
    }

    @Override
    public int runOnce() {
        List<UUID> accounts =
                database.transaction(tx -> FlowSql.accountsWithOldStarts(tx, ACCOUNTS));
        return Sweeps.each(
                name(),
                accounts,
                account -> database.transaction(tx -> FlowSql.purgeStarts(tx, account, BATCH)));
    }
}
