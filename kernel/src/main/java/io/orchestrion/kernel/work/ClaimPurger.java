package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// Forgets claims that nobody can be about to ask for again.
public final class ClaimPurger implements Sweeper {
    public static final Duration KEPT = Duration.ofHours(24);

    private static final int ACCOUNTS = 50;
    private static final int BATCH = 500;

    private final Database database;

    public ClaimPurger(Database database) {
        this.database = database;
    }

    @Override
    public String name() {
        return "claim-purger";
    }

    @Override
    public int fullPass() {
        return BATCH;
    }

    @Override
    public int runOnce() {
        List<UUID> accounts =
                database.transaction(tx -> ReceiptSql.accountsWithOldClaims(tx, KEPT, ACCOUNTS));
        return Sweeps.each(
                name(),
                accounts,
                account ->
                        database.transaction(
                                tx -> ReceiptSql.purgeClaims(tx, account, KEPT, BATCH)));
    }
}
