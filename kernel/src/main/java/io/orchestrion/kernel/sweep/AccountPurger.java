package io.orchestrion.kernel.sweep;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// Removes old rows, account by account and in bounded batches. So no transaction of it is long,
/// and an account that fails does not keep the others from their turn.
public abstract class AccountPurger implements Sweeper {
    private static final int ACCOUNTS = 50;
    private static final int BATCH = 500;

    /// What is removed was kept for hours or days, so nobody notices when it goes. But if each
    /// purger looked every second, an idle server would do little else.
    private static final int RESTS = 10;

    private final String name;
    private final Database database;
    private volatile boolean found = true;

    protected AccountPurger(String name, Database database) {
        this.name = name;
        this.database = database;
    }

    /// Some accounts that have something to remove.
    protected abstract List<UUID> accounts(Tx tx, int most) throws SQLException;

    /// The number of rows that were removed.
    protected abstract int purge(Tx tx, UUID account, int most) throws SQLException;

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final int fullPass() {
        return BATCH;
    }

    /// Where there was nothing to remove, there will be little a moment later.
    @Override
    public final Duration pace(Duration usual) {
        return found ? usual : usual.multipliedBy(RESTS);
    }

    @Override
    public int runOnce() {
        List<UUID> accounts = database.transaction(tx -> accounts(tx, ACCOUNTS));
        found = !accounts.isEmpty();
        return Sweeps.each(
                name, accounts, account -> database.transaction(tx -> purge(tx, account, BATCH)));
    }
}
