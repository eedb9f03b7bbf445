package io.orchestrion.kernel.totals;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `totals.sql`.
public final class TotalsSql {
    private static final NamedSql SQL = NamedSql.beside(TotalsSql.class, "totals.sql");

    private TotalsSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// The log of an account's queue.
    record Log(UUID accountId, String queue) {}

    /// How far it is counted.
    record Fold(Log log, long position) {}

    /// Where a count has led.
    ///
    /// @param more whether there is something after it
    record Reached(Fold fold, boolean more) {}

    record Counted(List<Total> sums, List<Reached> reached) {}

    static List<UUID> accountsAfter(Tx tx, UUID after, int most) throws SQLException {
        return SQL.on(tx, "accounts_after")
                .uuid("after", after)
                .integer("most", most)
                .list(row -> row.getObject(1, UUID.class));
    }

    static List<Log> logsBehind(Tx tx, @Nullable UUID one, List<UUID> accounts, List<String> queues)
            throws SQLException {
        return SQL.on(tx, "logs_behind", one)
                .uuids("accounts", List.copyOf(accounts))
                .texts("queues", List.copyOf(queues))
                .list(row -> new Log(row.getObject(1, UUID.class), row.getString(2)));
    }

    static void beginFolds(Tx tx, @Nullable UUID one, List<Log> logs) throws SQLException {
        SQL.on(tx, "begin_folds", one)
                .column("accounts", "uuid", logs, Log::accountId)
                .column("queues", "text", logs, Log::queue)
                .update();
    }

    static List<Fold> lockFolds(Tx tx, @Nullable UUID one, List<Log> logs) throws SQLException {
        return SQL.on(tx, "lock_folds", one)
                .column("accounts", "uuid", logs, Log::accountId)
                .column("queues", "text", logs, Log::queue)
                .list(TotalsSql::fold);
    }

    static Counted count(Tx tx, @Nullable UUID one, List<Fold> folds, int most)
            throws SQLException {
        var sums = new ArrayList<Total>();
        var reached = new ArrayList<Reached>();
        at(SQL.on(tx, "sums", one), folds)
                .integer("most", most)
                .list(
                        row ->
                                row.getObject("account_id") == null
                                        ? sums.add(total(row))
                                        : reached.add(
                                                new Reached(fold(row), row.getBoolean("more"))));
        return new Counted(sums, reached);
    }

    private static Bound at(Bound statement, List<Fold> folds) {
        return statement
                .column("accounts", "uuid", folds, fold -> fold.log().accountId())
                .column("queues", "text", folds, fold -> fold.log().queue())
                .column("positions", "int8", folds, Fold::position);
    }

    static void add(Tx tx, List<Total> totals) throws SQLException {
        SQL.on(tx, "add")
                .column("queues", "text", totals, Total::queue)
                .column("kinds", "text", totals, Total::kind)
                .column("events", "text", totals, Total::event)
                .column("from_words", "text", totals, Total::from)
                .column("to_words", "text", totals, Total::to)
                .column("agains", "bool", totals, Total::again)
                .column("buckets", "int4", totals, Total::bucket)
                .column("counts", "int8", totals, Total::count)
                .column("millis", "int8", totals, Total::millis)
                .update();
    }

    static void move(Tx tx, @Nullable UUID one, List<Fold> folds) throws SQLException {
        at(SQL.on(tx, "move", one), folds).update();
    }

    static List<Total> read(Tx tx) throws SQLException {
        return SQL.on(tx, "read").text("none", "").list(TotalsSql::total);
    }

    private static Fold fold(ResultSet row) throws SQLException {
        return new Fold(
                new Log(row.getObject("account_id", UUID.class), row.getString("queue")),
                row.getLong("position"));
    }

    private static Total total(ResultSet row) throws SQLException {
        return new Total(
                row.getString("queue"),
                row.getString("kind"),
                row.getString("event"),
                row.getString("from_word"),
                row.getString("to_word"),
                row.getBoolean("again"),
                row.getInt("bucket"),
                row.getLong("count"),
                row.getLong("millis"));
    }
}
