package io.orchestrion.kernel.identity;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sweep.AccountPurger;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// Removes keys that were revoked or expired long ago. An account without a live key keeps those
/// that expired: they are all that tells how it was once opened.
public final class KeyPurger extends AccountPurger {
    public static final Duration KEPT = Duration.ofDays(90);

    public KeyPurger(Database database) {
        super("key-purger", database);
    }

    @Override
    protected List<UUID> accounts(Tx tx, int most) throws SQLException {
        return IdentitySql.accountsWithOldKeys(tx, KEPT, most);
    }

    @Override
    protected int purge(Tx tx, UUID account, int most) throws SQLException {
        return IdentitySql.purge(tx, account, KEPT, most);
    }
}
