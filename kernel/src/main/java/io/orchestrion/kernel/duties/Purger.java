package io.orchestrion.kernel.duties;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.idempotency.Idempotency;
import io.orchestrion.kernel.limit.Allowances;
import io.orchestrion.kernel.sweep.AccountPurger;
import io.orchestrion.kernel.verbs.RetentionSql;
import io.orchestrion.kernel.verbs.WorkVerbs;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Removes ended items whose retention is over, expired idempotency answers and idle counters.
public final class Purger extends AccountPurger {
    private final Database database;
    private final WorkVerbs verbs;
    private final Idempotency idempotency;
    private final Allowances allowances;

    public Purger(
            Database database, WorkVerbs verbs, Idempotency idempotency, Allowances allowances) {
        super("purger", database);
        this.database = database;
        this.verbs = verbs;
        this.idempotency = idempotency;
        this.allowances = allowances;
    }

    @Override
    protected List<UUID> accounts(Tx tx, int most) throws SQLException {
        return RetentionSql.accountsToPurge(tx, most);
    }

    @Override
    protected int purge(Tx tx, UUID account, int most) throws SQLException {
        return verbs.purge(tx, account, most);
    }

    @Override
    public int runOnce() {
        return super.runOnce()
                + database.transaction(
                        tx ->
                                idempotency.purgeExpired(tx, fullPass())
                                        + allowances.purgeIdle(tx, fullPass()));
    }
}
