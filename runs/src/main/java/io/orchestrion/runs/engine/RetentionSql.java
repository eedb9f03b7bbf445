package io.orchestrion.runs.engine;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.state.RunStatus;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds the statements of `retention.sql`; decides nothing.
public final class RetentionSql {
    private static final NamedSql SQL = NamedSql.beside(RetentionSql.class, "retention.sql");

    private RetentionSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    static List<UUID> accounts(Tx tx, long before, int most) throws SQLException {
        return SQL.on(tx, "accounts_with_old_runs")
                .bigint("before", before)
                .integer("most", most)
                .list(row -> row.getObject("account_id", UUID.class));
    }

    /// From then on this transaction may delete frozen rows.
    static void letGo(Tx tx) throws SQLException {
        SQL.on(tx, "runs_go").update();
    }

    /// A run that is to go.
    ///
    /// @param deleted whether it was deleted, and so is not counted any more
    record Old(UUID id, RunStatus status, int attempt, boolean deleted) {}

    static List<Old> lockOld(Tx tx, UUID account, long before, int most) throws SQLException {
        return SQL.on(tx, "lock_old")
                .uuid("account", account)
                .bigint("before", before)
                .integer("most", most)
                .list(
                        row ->
                                new Old(
                                        row.getObject("id", UUID.class),
                                        RunStatus.of(row.getString("status")),
                                        row.getInt("attempt_number"),
                                        row.getBoolean("deleted")));
    }

    /// What goes in bounded parts, in this order: nothing is left that refers to what is gone.
    enum Part {
        ATTEMPTS("remove_attempts"),
        APPROVALS("remove_approvals"),
        STEPS("remove_steps"),
        TASKS("remove_tasks"),
        DECISIONS("remove_decisions");

        private final String statement;

        Part(String statement) {
            this.statement = statement;
        }
    }

    static List<UUID> remove(Tx tx, Part part, UUID account, UUID run, int most)
            throws SQLException {
        return SQL.on(tx, part.statement)
                .uuid("account", account)
                .uuid("run", run)
                .integer("most", most)
                .list(row -> row.getObject("id", UUID.class));
    }

    static List<UUID> removeTickets(Tx tx, UUID account, UUID run) throws SQLException {
        return ids(tx, "remove_tickets", account, run);
    }

    static List<UUID> removeAgents(Tx tx, UUID account, UUID run) throws SQLException {
        return ids(tx, "remove_agents", account, run);
    }

    private static List<UUID> ids(Tx tx, String statement, UUID account, UUID run)
            throws SQLException {
        return SQL.on(tx, statement)
                .uuid("account", account)
                .uuid("run", run)
                .list(row -> row.getObject("id", UUID.class));
    }

    /// The run itself, and what is few of it.
    static void removeRun(Tx tx, UUID account, UUID run) throws SQLException {
        for (String statement :
                List.of(
                        "remove_plans",
                        "remove_messages",
                        "remove_run_attempts",
                        "remove_transitions",
                        "remove_run")) {
            SQL.on(tx, statement).uuid("account", account).uuid("run", run).update();
        }
    }
}
