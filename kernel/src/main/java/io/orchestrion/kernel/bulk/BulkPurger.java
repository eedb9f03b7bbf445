package io.orchestrion.kernel.bulk;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sweep.AccountPurger;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// Removes operations that ended long ago; what they did stays in the audit log.
public final class BulkPurger extends AccountPurger {
    public static final Duration KEPT = Duration.ofDays(30);

    public BulkPurger(Database database) {
        super("bulk-purger", database);
    }

    @Override
    protected List<UUID> accounts(Tx tx, int most) throws SQLException {
        return BulkSql.accountsWithOldOperations(tx, oldMs(tx), most);
    }

    @Override
    protected int purge(Tx tx, UUID account, int most) throws SQLException {
        return BulkSql.purge(tx, account, oldMs(tx), most);
    }

    private static long oldMs(Tx tx) {
        return tx.nowMillis() - KEPT.toMillis();
    }
}
