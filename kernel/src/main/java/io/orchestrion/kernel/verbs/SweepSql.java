package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.wake.Waiters;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds and reads those statements of `work.sql` with which the duties find their work.
public final class SweepSql {
    private static final NamedSql SQL = WorkSql.statements();

    private SweepSql() {}

    /// One account's queue of one kind.
    public record DueQueue(UUID accountId, String queue, String kind) {}

    public static List<UUID> accountsWithLapsedLeases(Tx tx, int most) throws SQLException {
        return accounts(tx, "accounts_with_lapsed_leases", most);
    }

    private static List<UUID> accounts(Tx tx, String statement, int most) throws SQLException {
        return SQL.on(tx, statement)
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(row -> row.getObject("account_id", UUID.class));
    }

    public static List<UUID> lapsedLeases(Tx tx, UUID account, int most) throws SQLException {
        return SQL.on(tx, "lapsed_leases")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(row -> row.getObject(1, UUID.class));
    }

    static int lookAgainLater(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        return SQL.on(tx, "look_again_later")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .uuids("ids", List.copyOf(ids))
                .update();
    }

    public static int lookAgainAt(Tx tx, UUID account, List<UUID> ids, long atMs)
            throws SQLException {
        return SQL.on(tx, "look_again_at")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .bigint("at", atMs)
                .update();
    }

    public static List<DueQueue> queuesWithDueWork(Tx tx, int most) throws SQLException {
        return SQL.on(tx, "queues_with_due_work")
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(
                        row ->
                                new DueQueue(
                                        row.getObject("account_id", UUID.class),
                                        row.getString("queue"),
                                        row.getString("kind")));
    }

    /// How many items can be claimed from a line.
    public record Claimable(Waiters.Key line, int ready) {}

    /// For each of the lines that has something to claim: how much, up to a bound.
    public static List<Claimable> claimable(
            Tx tx, @Nullable UUID one, List<Waiters.Key> lines, int most) throws SQLException {
        return SQL.on(tx, "claimable", one)
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .column("accounts", "uuid", lines, Waiters.Key::accountId)
                .column("queues", "text", lines, Waiters.Key::queue)
                .column("kinds", "text", lines, Waiters.Key::kind)
                .list(
                        row ->
                                new Claimable(
                                        new Waiters.Key(
                                                row.getObject("account_id", UUID.class),
                                                row.getString("queue"),
                                                row.getString("kind")),
                                        row.getInt("ready")));
    }
}
