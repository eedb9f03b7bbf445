package io.orchestrion.kernel.audit;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sweep.AccountPurger;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// Removes entries whose retention is over.
public final class AuditPurger extends AccountPurger {
    public static final Duration KEPT = Duration.ofDays(400);

    public AuditPurger(Database database) {
        super("audit-purger", database);
    }

    @Override
    protected List<UUID> accounts(Tx tx, int most) throws SQLException {
        return AuditSql.accountsWithOldEntries(tx, oldMs(tx), most);
    }

    @Override
    protected int purge(Tx tx, UUID account, int most) throws SQLException {
        return AuditSql.purge(tx, account, oldMs(tx), most);
    }

    private static long oldMs(Tx tx) {
        return tx.nowMillis() - KEPT.toMillis();
    }
}
