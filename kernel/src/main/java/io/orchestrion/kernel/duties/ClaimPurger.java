package io.orchestrion.kernel.duties;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sweep.AccountPurger;
import io.orchestrion.kernel.verbs.ReceiptSql;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// Removes the ids of claims that are too old to be sent again.
public final class ClaimPurger extends AccountPurger {
    public static final Duration KEPT = Duration.ofHours(24);

    public ClaimPurger(Database database) {
        super("claim-purger", database);
    }

    @Override
    protected List<UUID> accounts(Tx tx, int most) throws SQLException {
        return ReceiptSql.accountsWithOldClaims(tx, KEPT, most);
    }

    @Override
    protected int purge(Tx tx, UUID account, int most) throws SQLException {
        return ReceiptSql.purgeClaims(tx, account, KEPT, most);
    }
}
