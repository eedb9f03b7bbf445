package io.orchestrion.kernel.identity;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// Removes keys that were revoked or expired long ago. An account without a live key keeps what it
/// has: its last keys are all that tells how it was once opened.
public final class KeyPurger implements Sweeper {
    public static final Duration KEPT = Duration.ofDays(90);

    private static final int ACCOUNTS = 50;
    private static final int BATCH = 500;

    private final Database database;

    public KeyPurger(Database database) {
        this.database = database;
    }

    @Override
    public String name() {
        return "key-purger";
    }

    @Override
    public int fullPass() {
        return BATCH;
    }

    @Override
    public int runOnce() {
        List<UUID> accounts =
                database.transaction(tx -> IdentitySql.accountsWithOldKeys(tx, KEPT, ACCOUNTS));
        return Sweeps.each(
                name(),
                accounts,
                account -> database.transaction(tx -> IdentitySql.purge(tx, account, KEPT, BATCH)));
    }
}
