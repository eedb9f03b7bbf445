package io.orchestrion.jobs.registry;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `runner.sql`.
public final class RunnerSql {
    private static final NamedSql SQL = NamedSql.beside(RunnerSql.class, "runner.sql");

    private RunnerSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    static int seen(Tx tx, UUID id, String name, int capacity, int busy) throws SQLException {
        return SQL.on(tx, "seen")
                .uuid("id", id)
                .text("name", name)
                .bigint("now", tx.nowMillis())
                .integer("capacity", capacity)
                .integer("busy", busy)
                .update();
    }

    static int leave(Tx tx, UUID id) throws SQLException {
        return SQL.on(tx, "leave").uuid("id", id).update();
    }

    static int forget(Tx tx, long beforeMs) throws SQLException {
        return SQL.on(tx, "forget").bigint("before", beforeMs).update();
    }

    static Availability available(Tx tx, long sinceMs) throws SQLException {
        Availability found =
                SQL.on(tx, "available")
                        .bigint("since", sinceMs)
                        .one(
                                row ->
                                        new Availability(
                                                row.getInt("runners"),
                                                row.getInt("capacity"),
                                                row.getInt("busy")));
        return found == null ? Availability.NONE : found;
    }

    static List<RunnerEntry> present(Tx tx, long sinceMs) throws SQLException {
        return SQL.on(tx, "present")
                .bigint("since", sinceMs)
                .list(
                        row ->
                                new RunnerEntry(
                                        row.getObject("runner_id", UUID.class),
                                        row.getString("name"),
                                        row.getLong("started_ms"),
                                        row.getLong("seen_ms"),
                                        row.getInt("capacity"),
                                        row.getInt("busy")));
    }
}
