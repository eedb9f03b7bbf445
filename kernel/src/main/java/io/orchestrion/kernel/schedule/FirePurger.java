package io.orchestrion.kernel.schedule;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;

import java.util.List;
import java.util.UUID;

/// Removes old entries from the history of schedules. How many there are of one schedule is bounded
/// where they are written.
public final class FirePurger implements Sweeper {
    private static final int ACCOUNTS = 50;
    private static final int BATCH = 500;

    private final Database database;

    public FirePurger(Database database) {
        this.database = database;
    }

    @Override
    public String name() {
        return "schedule-purger";
    }

    @Override
    public int fullPass() {
        return BATCH;
    }

    @Override
    public int runOnce() {
        List<UUID> accounts =
                database.transaction(
                        tx -> ScheduleSql.accountsWithOldFires(tx, oldMs(tx), ACCOUNTS));
        return Sweeps.each(
                name(),
                accounts,
                account ->
                        database.transaction(
                                tx -> ScheduleSql.purgeFires(tx, account, oldMs(tx), BATCH)));
    }

    private static long oldMs(Tx tx) {
        return tx.nowMillis() - Schedules.HISTORY_KEPT.toMillis();
    }
}
