package io.orchestrion.kernel.audit;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// Removes entries whose time is over, in bounded batches.
public final class AuditPurger implements Sweeper {
    public static final Duration KEPT = Duration.ofDays(400);

    private static final int ACCOUNTS = 50;
    private static final int BATCH = 500;

    private final Database database;

    public AuditPurger(Database database) {
        this.database = database;
    }

    @Override
    public String name() {
        return "audit-purger";
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
                                AuditSql.accountsWithOldEntries(
                                        tx, tx.nowMillis() - KEPT.toMillis(), ACCOUNTS));
        return Sweeps.each(
                name(),
                accounts,
                account ->
                        database.transaction(
                                tx ->
                                        AuditSql.purge(
                                                tx,
                                                account,
                                                tx.nowMillis() - KEPT.toMillis(),
                                                BATCH)));
    }
}
