package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds the statements of `execution_retention.sql`; decides nothing.
public final class RetentionSql {
    private static final NamedSql SQL =
            NamedSql.beside(RetentionSql.class, "execution_retention.sql");

    private RetentionSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    static List<UUID> accounts(Tx tx, long before, int most) throws SQLException {
        return SQL.on(tx, "accounts_with_old_executions")
                .bigint("before", before)
                .integer("most", most)
                .list(row -> row.getObject("account_id", UUID.class));
    }

    /// From then on this transaction may delete frozen rows.
    static void letGo(Tx tx) throws SQLException {
        SQL.on(tx, "executions_go").update();
    }

    static List<UUID> lockOld(Tx tx, UUID account, long before, int most) throws SQLException {
        return SQL.on(tx, "lock_old")
                .uuid("account", account)
                .bigint("before", before)
                .integer("most", most)
                .list(row -> row.getObject("id", UUID.class));
    }

    static List<UUID> removeSteps(Tx tx, UUID account, UUID execution, int most)
            throws SQLException {
        return SQL.on(tx, "remove_steps")
                .uuid("account", account)
                .uuid("execution", execution)
                .integer("most", most)
                .list(row -> row.getObject("id", UUID.class));
    }

    static List<UUID> removeApprovals(Tx tx, UUID account, UUID execution, int most)
            throws SQLException {
        return SQL.on(tx, "remove_approvals")
                .uuid("account", account)
                .uuid("execution", execution)
                .integer("most", most)
                .list(row -> row.getObject("id", UUID.class));
    }

    /// A dead letter that is gone, as it was counted.
    record GoneLetter(UUID id, String reason, String status) {}

    static List<GoneLetter> removeDeadLetters(Tx tx, UUID account, UUID execution, int most)
            throws SQLException {
        return SQL.on(tx, "remove_dead_letters")
                .uuid("account", account)
                .uuid("execution", execution)
                .integer("most", most)
                .list(
                        row ->
                                new GoneLetter(
                                        row.getObject("id", UUID.class),
                                        row.getString("reason"),
                                        row.getString("status")));
    }

    static void removeExecution(Tx tx, UUID account, UUID execution) throws SQLException {
        SQL.on(tx, "remove_execution")
                .uuid("account", account)
                .uuid("execution", execution)
                .update();
    }
}
