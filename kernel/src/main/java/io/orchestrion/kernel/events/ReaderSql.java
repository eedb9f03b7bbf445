package io.orchestrion.kernel.events;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.LogReaders.Log;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `reader.sql`.
public final class ReaderSql {
    private static final NamedSql SQL = NamedSql.beside(ReaderSql.class, "reader.sql");

    private ReaderSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// Whether the log is read, and locks its place if so.
    static boolean exists(Tx tx, UUID account, String queue) throws SQLException {
        return isThere(tx, "reader_exists", account, queue);
    }

    /// The same, and locks it.
    static boolean known(Tx tx, UUID account, String queue) throws SQLException {
        return isThere(tx, "reader_known", account, queue);
    }

    private static boolean isThere(Tx tx, String statement, UUID account, String queue)
            throws SQLException {
        return SQL.on(tx, statement)
                        .uuid("account", account)
                        .text("queue", queue)
                        .one(row -> row.getLong("position"))
                != null;
    }

    static void begin(Tx tx, UUID account, String queue, EventCursor from) throws SQLException {
        place(tx, "begin_reader", account, queue, from);
    }

    static void move(Tx tx, UUID account, String queue, EventCursor to) throws SQLException {
        place(tx, "move_reader", account, queue, to);
    }

    private static void place(
            Tx tx, String statement, UUID account, String queue, EventCursor place)
            throws SQLException {
        SQL.on(tx, statement)
                .uuid("account", account)
                .text("queue", queue)
                .bigint("position", place.position())
                .uuid("work_id", place.workId())
                .integer("seq", place.seq())
                .update();
    }

    static boolean any(Tx tx) throws SQLException {
        return !SQL.on(tx, "any_reader").list(row -> row.getString("queue")).isEmpty();
    }

    static List<Log> toRead(Tx tx, int most) throws SQLException {
        return SQL.on(tx, "logs_to_read")
                .integer("most", most)
                .list(
                        row ->
                                new Log(
                                        row.getObject("account_id", UUID.class),
                                        row.getString("queue")));
    }

    /// Locks the place. Null when another transaction has it, or when the log has no receivers any
    /// more.
    static @Nullable EventCursor take(Tx tx, UUID account, String queue) throws SQLException {
        return SQL.on(tx, "take_reader")
                .uuid("account", account)
                .text("queue", queue)
                .one(
                        row ->
                                new EventCursor(
                                        row.getLong("position"),
                                        row.getObject("work_id", UUID.class),
                                        row.getInt("seq")));
    }

    static void end(Tx tx, UUID account, String queue) throws SQLException {
        SQL.on(tx, "end_reader").uuid("account", account).text("queue", queue).update();
    }
}
