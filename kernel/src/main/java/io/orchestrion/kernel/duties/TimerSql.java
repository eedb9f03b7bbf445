package io.orchestrion.kernel.duties;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.duties.TimedEnds.Found;
import io.orchestrion.kernel.verbs.SweepSql.DueQueue;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// Binds and reads the statements of `timer.sql`.
public final class TimerSql {
    private static final NamedSql SQL = NamedSql.beside(TimerSql.class, "timer.sql");

    private TimerSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// @param without owners whose timers are left out
    static List<Found> due(Tx tx, DueQueue due, Set<UUID> without, int most) throws SQLException {
        return SQL.on(tx, "due")
                .uuid("account", due.accountId())
                .text("queue", due.queue())
                .text("kind", due.kind())
                .bigint("now", tx.nowMillis())
                .uuids("without", List.copyOf(without))
                .integer("most", most)
                .list(TimerSql::found);
    }

    static List<UUID> accountsWithOverdueWork(Tx tx, int most) throws SQLException {
        return SQL.on(tx, "accounts_with_overdue_work")
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(row -> row.getObject("account_id", UUID.class));
    }

    /// @param without owners, and items of none, that are left out
    static List<Found> overdue(Tx tx, UUID account, Set<UUID> without, int most)
            throws SQLException {
        return SQL.on(tx, "overdue")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .uuids("without", List.copyOf(without))
                .integer("most", most)
                .list(TimerSql::found);
    }

    private static Found found(ResultSet row) throws SQLException {
        String kind = row.getString("owner_kind");
        return new Found(
                row.getObject("id", UUID.class),
                kind == null ? null : new OwnerRef(kind, row.getObject("owner_id", UUID.class)));
    }
}
