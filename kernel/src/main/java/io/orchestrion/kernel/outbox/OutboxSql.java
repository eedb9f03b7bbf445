package io.orchestrion.kernel.outbox;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.outbox.Outbox.Notice;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `outbox.sql`.
public final class OutboxSql {
    private static final NamedSql SQL = NamedSql.beside(OutboxSql.class, "outbox.sql");

    private OutboxSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    static void insert(Tx tx, UUID account, String topic, List<UUID> ids, List<Notice> notices)
            throws SQLException {
        SQL.on(tx, "insert")
                .uuid("account", account)
                .text("topic", topic)
                .bigint("now", tx.nowMillis())
                .uuids("ids", List.copyOf(ids))
                .column("work_ids", "uuid", notices, Notice::workId)
                .column("event_seqs", "int4", notices, Notice::eventSeq)
                .update();
    }

    static List<UUID> accountsWithMessages(Tx tx, List<String> topics, int most)
            throws SQLException {
        return SQL.on(tx, "accounts_with_messages")
                .bigint("now", tx.nowMillis())
                .texts("topics", List.copyOf(topics))
                .integer("most", most)
                .list(row -> row.getObject(1, UUID.class));
    }

    static List<OutboxMessage> take(Tx tx, UUID account, List<String> topics, int most)
            throws SQLException {
        return SQL.on(tx, "take")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .texts("topics", List.copyOf(topics))
                .integer("most", most)
                .list(
                        row ->
                                new OutboxMessage(
                                        row.getObject("account_id", UUID.class),
                                        row.getObject("id", UUID.class),
                                        row.getString("topic"),
                                        row.getObject("work_id", UUID.class),
                                        row.getInt("event_seq"),
                                        row.getLong("created_ms"),
                                        row.getInt("tries")));
    }

    static int delete(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        return SQL.on(tx, "delete")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .update();
    }

    static void postpone(Tx tx, UUID account, UUID id, long untilMs) throws SQLException {
        SQL.on(tx, "postpone")
                .uuid("account", account)
                .uuid("id", id)
                .bigint("until", untilMs)
                .update();
    }
}
