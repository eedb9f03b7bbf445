package io.orchestrion.kernel.bulk;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// Removes operations that ended long ago; what they did stays in the audit log.
public final class BulkPurger implements Sweeper {
    public static final Duration KEPT = Duration.ofDays(30);

    private static final int ACCOUNTS = 50;
    private static final int BATCH = 500;

    private final Database database;

    public BulkPurger(Database database) {
        this.database = database;
    }

    @Override
    public String name() {
        return "bulk-purger";
    }

    @Override
    public int fullPass() {
        return BATCH;
    }

    @Override
    public int runOnce() {
        List<UUID> accounts =
                database.transaction(
                        tx ->
                                BulkSql.accountsWithOldOperations(
                                        tx, tx.nowMillis() - KEPT.toMillis(), ACCOUNTS));
        return Sweeps.each(
                name(),
                accounts,
                account ->
                        database.transaction(
                                tx ->
                                        BulkSql.purge(
                                                tx,
                                                account,
                                                tx.nowMillis() - KEPT.toMillis(),
                                                BATCH)));
    }
}
