package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Binds and reads the statements of `unique.sql`.
public final class UniqueSql {
    private static final NamedSql SQL = NamedSql.beside(UniqueSql.class, "unique.sql");

    private UniqueSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// A name of which an account may have only one open item.
    record Key(String queue, String kind, String key) {
        private static final Comparator<Key> ORDER =
                Comparator.comparing(Key::queue).thenComparing(Key::kind).thenComparing(Key::key);
    }

    /// The item that has a key.
    record Holder(UUID workId, long createdMs) {}

    private record Row(Key key, UUID workId) {}

    /// Locks the keys. Returns the item that has each; where a key was free, that is now the wanted
    /// one.
    static Map<Key, Holder> lock(Tx tx, UUID account, Map<Key, UUID> wanted) throws SQLException {
        var holders = new HashMap<Key, Holder>();
        on(tx, "lock_keys", account, rows(wanted))
                .bigint("now", tx.nowMillis())
                .list(
                        row ->
                                holders.put(
                                        new Key(
                                                row.getString("queue"),
                                                row.getString("kind"),
                                                row.getString("unique_key")),
                                        new Holder(
                                                row.getObject("work_id", UUID.class),
                                                row.getLong("created_ms"))));
        return holders;
    }

    static void handOver(Tx tx, UUID account, Map<Key, UUID> holders) throws SQLException {
        on(tx, "hand_over", account, rows(holders)).bigint("now", tx.nowMillis()).update();
    }

    static void giveBack(Tx tx, UUID account, List<Key> keys) throws SQLException {
        SQL.on(tx, "give_back")
                .uuid("account", account)
                .column("queues", "text", keys, Key::queue)
                .column("kinds", "text", keys, Key::kind)
                .column("keys", "text", keys, Key::key)
                .update();
    }

    /// Sorted, so that every transaction writes keys in the same order.
    private static List<Row> rows(Map<Key, UUID> ids) {
        return ids.entrySet().stream()
                .map(entry -> new Row(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparing(Row::key, Key.ORDER))
                .toList();
    }

    private static Bound on(Tx tx, String statement, UUID account, List<Row> rows)
            throws SQLException {
        return SQL.on(tx, statement)
                .uuid("account", account)
                .column("queues", "text", rows, row -> row.key().queue())
                .column("kinds", "text", rows, row -> row.key().kind())
                .column("keys", "text", rows, row -> row.key().key())
                .column("work_ids", "uuid", rows, Row::workId);
    }
}
