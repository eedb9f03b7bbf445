package io.orchestrion.kernel.schedule;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sweep.AccountPurger;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Removes old entries from the history of schedules. How many there are of one schedule is bounded
/// where they are written.
public final class FirePurger extends AccountPurger {
    public FirePurger(Database database) {
        super("schedule-purger", database);
    }

    @Override
    protected List<UUID> accounts(Tx tx, int most) throws SQLException {
        return ScheduleSql.accountsWithOldFires(tx, oldMs(tx), most);
    }

    @Override
    protected int purge(Tx tx, UUID account, int most) throws SQLException {
        return ScheduleSql.purgeFires(tx, account, oldMs(tx), most);
    }

    private static long oldMs(Tx tx) {
        return tx.nowMillis() - Schedules.HISTORY_KEPT.toMillis();
    }
}
