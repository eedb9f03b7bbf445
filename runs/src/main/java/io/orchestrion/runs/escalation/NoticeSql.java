package io.orchestrion.runs.escalation;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.UUID;

/// Binds and reads the statements of `notice.sql`; decides nothing.
public final class NoticeSql {
    private static final NamedSql SQL = NamedSql.beside(NoticeSql.class, "notice.sql");

    private NoticeSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    /// False where the ticket is told of already.
    static boolean open(Tx tx, UUID account, UUID ticket, UUID item, String message)
            throws SQLException {
        return SQL.on(tx, "open")
                        .uuid("account", account)
                        .uuid("ticket", ticket)
                        .uuid("item", item)
                        .text("message", message)
                        .bigint("now", tx.nowMillis())
                        .update()
                == 1;
    }

    /// What is to be told; null where nothing is any more.
    static @Nullable String begin(Tx tx, UUID account, UUID item) throws SQLException {
        return SQL.on(tx, "begin")
                .uuid("account", account)
                .uuid("item", item)
                .one(row -> row.getString("message"));
    }

    static void sent(Tx tx, UUID account, UUID item) throws SQLException {
        int _ =
                SQL.on(tx, "sent")
                        .uuid("account", account)
                        .uuid("item", item)
                        .bigint("now", tx.nowMillis())
                        .update();
    }

    static boolean failed(Tx tx, UUID account, UUID item, String error) throws SQLException {
        return SQL.on(tx, "failed")
                        .uuid("account", account)
                        .uuid("item", item)
                        .text("error", error)
                        .update()
                == 1;
    }

    static boolean again(Tx tx, UUID account, UUID item, UUID next, String error)
            throws SQLException {
        return SQL.on(tx, "again")
                        .uuid("account", account)
                        .uuid("item", item)
                        .uuid("next", next)
                        .text("error", error)
                        .update()
                == 1;
    }

    /// What an item tells of, and how many items were made for that.
    record Told(UUID ticket, int attempts) {}

    /// Null where the item tells of nothing any more.
    static @Nullable Told told(Tx tx, UUID account, UUID item) throws SQLException {
        return SQL.on(tx, "told")
                .uuid("account", account)
                .uuid("item", item)
                .one(
                        row ->
                                new Told(
                                        row.getObject("ticket_id", UUID.class),
                                        row.getInt("attempts")));
    }

    public static @Nullable Notice find(Tx tx, UUID account, UUID ticket) throws SQLException {
        return SQL.on(tx, "find")
                .uuid("account", account)
                .uuid("ticket", ticket)
                .one(
                        row ->
                                new Notice(
                                        row.getObject("ticket_id", UUID.class),
                                        Notice.Status.of(row.getString("status")),
                                        row.getString("message"),
                                        row.getInt("attempts"),
                                        row.getLong("created_ms"),
                                        Bound.nullableLong(row, "sent_ms"),
                                        row.getString("last_error")));
    }
}
