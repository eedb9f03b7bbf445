package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.idempotency.Idempotency;
import io.orchestrion.kernel.limit.Allowances;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;

import java.util.List;
import java.util.UUID;

/// Removes ended items whose time is over, expired idempotency answers and idle counters, in
/// bounded batches.
public final class Purger implements Sweeper {
    private static final int ACCOUNTS = 50;
    private static final int BATCH = 500;

    private final Database database;
    private final WorkVerbs verbs;
    private final Idempotency idempotency;
    private final Allowances allowances;

    public Purger(
            Database database, WorkVerbs verbs, Idempotency idempotency, Allowances allowances) {
        this.database = database;
        this.verbs = verbs;
        this.idempotency = idempotency;
        this.allowances = allowances;
    }

    @Override
    public String name() {
        return "purger";
    }

    @Override
    public int fullPass() {
        return BATCH;
    }

    @Override
    public int runOnce() {
        List<UUID> accounts =
                database.transaction(tx -> RetentionSql.accountsToPurge(tx, ACCOUNTS));
        int purged =
                Sweeps.each(
                        name(),
                        accounts,
                        account -> database.transaction(tx -> verbs.purge(tx, account, BATCH)));
        return purged
                + database.transaction(
                        tx ->
                                idempotency.purgeExpired(tx, BATCH)
                                        + allowances.purgeIdle(tx, BATCH));
    }
}
