package io.orchestrion.runs.engine;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `sweep.sql`; decides nothing.
public final class SweepSql {
    private static final NamedSql SQL = NamedSql.beside(SweepSql.class, "sweep.sql");

    private SweepSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    /// Something of a run whose time is over.
    record Due(UUID account, UUID run, UUID id) {}

    private static Due due(ResultSet row) throws SQLException {
        return new Due(
                row.getObject("account_id", UUID.class),
                row.getObject("run_id", UUID.class),
                row.getObject("id", UUID.class));
    }

    /// How many were noted.
    static int beat(Tx tx, UUID account, List<Driven.Holding> driven) throws SQLException {
        return SQL.on(tx, "beat")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .column("ids", "uuid", driven, Driven.Holding::run)
                .column("drivers", "uuid", driven, Driven.Holding::item)
                .update();
    }

    static List<Due> withoutHeartbeat(Tx tx, long before, int most) throws SQLException {
        return listed(tx, "without_heartbeat", before, most);
    }

    static List<Due> dueRuns(Tx tx, int most) throws SQLException {
        return listed(tx, "due_runs", tx.nowMillis(), most);
    }

    static List<Due> dueAgents(Tx tx, int most) throws SQLException {
        return listed(tx, "due_agents", tx.nowMillis(), most);
    }

    static List<Due> dueTasks(Tx tx, int most) throws SQLException {
        return listed(tx, "due_tasks", tx.nowMillis(), most);
    }

    private static List<Due> listed(Tx tx, String name, long time, int most) throws SQLException {
        return SQL.on(tx, name).bigint("time", time).integer("most", most).list(SweepSql::due);
    }
}
