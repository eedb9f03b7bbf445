package io.orchestrion.jobs;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/// Binds and reads the statements of `capacity.sql`; decides nothing.
public final class CapacitySql {
    private static final NamedSql SQL = NamedSql.beside(CapacitySql.class, "capacity.sql");

    private CapacitySql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    /// @param max for which it was counted
    /// @param spare what may be added without counting
    record Kept(long max, long spare, long countedMs) {}

    static Kept lock(Tx tx, String name) throws SQLException {
        Kept kept =
                SQL.on(tx, "lock_capacity")
                        .text("name", name)
                        .one(
                                row ->
                                        new Kept(
                                                row.getLong("max"),
                                                row.getLong("spare"),
                                                row.getLong("counted_ms")));
        return Objects.requireNonNull(kept, "the migration makes this row");
    }

    static void put(Tx tx, String name, Kept kept) {
        SQL.on(tx, "put_capacity")
                .text("name", name)
                .bigint("max", kept.max())
                .bigint("spare", kept.spare())
                .bigint("counted", kept.countedMs())
                .later(1, "there is no capacity " + name);
    }

    record Waiting(long waiting, long assigned) {}

    /// Counts no further than to the bound.
    static Waiting countWaiting(Tx tx, int bound) throws SQLException {
        return Objects.requireNonNull(
                SQL.on(tx, "count_waiting")
                        .integer("most", bound)
                        .one(row -> new Waiting(row.getLong("waiting"), row.getLong("assigned"))));
    }

    static int countActive(Tx tx, int bound) throws SQLException {
        return Objects.requireNonNull(
                SQL.on(tx, "count_active").integer("most", bound).one(row -> row.getInt("active")));
    }

    record Due(UUID account, String kind) {}

    static List<Due> due(Tx tx, int most) throws SQLException {
        return SQL.on(tx, "due")
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(
                        row ->
                                new Due(
                                        row.getObject("account_id", UUID.class),
                                        row.getString("kind")));
    }

    record Head(UUID account, UUID id, long orderMs) {}

    static List<Head> heads(Tx tx, int most) throws SQLException {
        return SQL.on(tx, "heads")
                .integer("most", most)
                .list(
                        row ->
                                new Head(
                                        row.getObject("account_id", UUID.class),
                                        row.getObject("id", UUID.class),
                                        0));
    }

    /// @param accounts that were gone through, whether or not they had any
    record Heads(List<Head> heads, List<UUID> accounts) {}

    static Heads headsByAccount(Tx tx, UUID from, int accounts, int most) throws SQLException {
        var seen = new LinkedHashSet<UUID>();
        var heads = new ArrayList<Head>();
        SQL.on(tx, "heads_by_account")
                .uuid("from", from)
                .integer("accounts", accounts)
                .integer("most", most)
                .list(
                        row -> {
                            UUID account = row.getObject("account_id", UUID.class);
                            UUID id = row.getObject("id", UUID.class);
                            seen.add(account);
                            return id == null
                                    || heads.add(new Head(account, id, row.getLong("order_ms")));
                        });
        return new Heads(heads, List.copyOf(seen));
    }

    /// The same account by account.
    static Heads headsOfEachAccount(Tx tx, UUID from, int accounts, int most) throws SQLException {
        List<UUID> seen =
                SQL.on(tx, "accounts_with_ready_jobs")
                        .uuid("from", from)
                        .integer("accounts", accounts)
                        .list(row -> row.getObject("account_id", UUID.class));
        var heads = new ArrayList<Head>();
        for (UUID account : seen) {
            SQL.on(tx, "heads_of_account")
                    .uuid("account", account)
                    .integer("most", most)
                    .list(
                            row ->
                                    heads.add(
                                            new Head(
                                                    account,
                                                    row.getObject("id", UUID.class),
                                                    row.getLong("order_ms"))));
        }
        return new Heads(heads, seen);
    }

    static Map<UUID, Integer> activeByAccount(Tx tx, int bound) throws SQLException {
        var active = new HashMap<UUID, Integer>();
        SQL.on(tx, "active_by_account")
                .integer("most", bound)
                .list(
                        row ->
                                active.put(
                                        row.getObject("account_id", UUID.class),
                                        row.getInt("active")));
        return active;
    }
}
