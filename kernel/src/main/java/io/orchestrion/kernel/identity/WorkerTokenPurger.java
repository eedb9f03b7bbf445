package io.orchestrion.kernel.identity;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sweep.AccountPurger;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// Removes worker tokens that expired or were deactivated long ago.
public final class WorkerTokenPurger extends AccountPurger {
    public static final Duration KEPT = Duration.ofDays(90);

    public WorkerTokenPurger(Database database) {
        super("worker-token-purger", database);
    }

    @Override
    protected List<UUID> accounts(Tx tx, int most) throws SQLException {
        return WorkerTokenSql.accountsWithOldTokens(tx, KEPT, most);
    }

    @Override
    protected int purge(Tx tx, UUID account, int most) throws SQLException {
        return WorkerTokenSql.purge(tx, account, KEPT, most);
    }
}
