package io.orchestrion.kernel.audit;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Binds and reads the statements of `audit.sql`.
public final class AuditSql {
    private static final NamedSql SQL = NamedSql.beside(AuditSql.class, "audit.sql");

    private AuditSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// The place of the next entry.
    record Place(long seq, long atMs) {}

    static @Nullable Place next(Tx tx, UUID account) throws SQLException {
        return SQL.on(tx, "next")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .one(row -> new Place(row.getLong("seq"), row.getLong("at_ms")));
    }

    /// Null for a key that is gone.
    public static @Nullable String keyName(Tx tx, UUID account, UUID keyId) throws SQLException {
        return SQL.on(tx, "key_name")
                .uuid("account", account)
                .uuid("key_id", keyId)
                .one(row -> row.getString(1));
    }

    static void write(
            Tx tx,
            UUID account,
            Place place,
            Actor actor,
            String action,
            Subject subject,
            Detail detail)
            throws SQLException {
        List<Map.Entry<String, String>> texts = List.copyOf(detail.texts().entrySet());
        List<Map.Entry<String, Long>> numbers = List.copyOf(detail.numbers().entrySet());
        UUID keyId = actor instanceof Actor.Key(var id) ? id : null;
        String name = keyId == null ? null : keyName(tx, account, keyId);
        SQL.on(tx, "write")
                .uuid("account", account)
                .bigint("seq", place.seq())
                .bigint("at", place.atMs())
                .text("actor_kind", keyId == null ? "server" : "key")
                .uuid("actor_id", keyId)
                .text("actor_name", name)
                .text("action", action)
                .text("subject_kind", subject.kind())
                .text("subject_id", subject.id())
                .text("within", subject.within())
                .column("text_names", "text", texts, Map.Entry::getKey)
                .column("texts", "text", texts, Map.Entry::getValue)
                .column("number_names", "text", numbers, Map.Entry::getKey)
                .column("numbers", "int8", numbers, Map.Entry::getValue)
                .update();
    }

    static List<AuditEntry> oldestFirst(Tx tx, UUID account, long after, int most)
            throws SQLException {
        return page(tx, "oldest_first", account, after, most);
    }

    static List<AuditEntry> newestFirst(Tx tx, UUID account, long after, int most)
            throws SQLException {
        return page(tx, "newest_first", account, after, most);
    }

    private static List<AuditEntry> page(
            Tx tx, String statement, UUID account, long after, int most) throws SQLException {
        return SQL.on(tx, statement)
                .uuid("account", account)
                .bigint("after", after)
                .integer("most", most)
                .list(AuditSql::entry);
    }

    private static AuditEntry entry(ResultSet row) throws SQLException {
        return new AuditEntry(
                row.getLong("seq"),
                row.getLong("at_ms"),
                row.getString("actor_kind").equals("key")
                        ? Actor.key(row.getObject("actor_id", UUID.class))
                        : Actor.server(),
                row.getString("actor_name"),
                row.getString("action"),
                new Subject(
                        row.getString("subject_kind"),
                        row.getString("subject_id"),
                        row.getString("within_id")),
                row.getString("detail"));
    }

    static List<UUID> accountsWithOldEntries(Tx tx, long untilMs, int most) throws SQLException {
        return SQL.on(tx, "accounts_with_old_entries")
                .bigint("until", untilMs)
                .integer("most", most)
                .list(row -> row.getObject("account_id", UUID.class));
    }

    static int purge(Tx tx, UUID account, long untilMs, int most) throws SQLException {
        allowPurge(tx, untilMs);
        return SQL.on(tx, "purge")
                .uuid("account", account)
                .bigint("until", untilMs)
                .integer("most", most)
                .update();
    }

    /// Tells the trigger, until the end of the transaction, what may be removed. It is a `set`,
    /// because a distributed PostgreSQL passes that on to the nodes of the rows. A `set` takes no
    /// parameters.
    private static void allowPurge(Tx tx, long untilMs) throws SQLException {
        try (Statement statement = tx.connection().createStatement()) {
            statement.execute("set local orchestrion.audit_purged_until_ms = '" + untilMs + "'");
        }
    }
}
