package io.orchestrion.kernel.flow;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sweep.AccountPurger;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Removes counts of starts that no window reaches any more.
public final class StartPurger extends AccountPurger {
    public StartPurger(Database database) {
        super("start-purger", database);
    }

    @Override
    protected List<UUID> accounts(Tx tx, int most) throws SQLException {
        return FlowSql.accountsWithOldStarts(tx, most);
    }

    @Override
    protected int purge(Tx tx, UUID account, int most) throws SQLException {
        return FlowSql.purgeStarts(tx, account, most);
    }
}
