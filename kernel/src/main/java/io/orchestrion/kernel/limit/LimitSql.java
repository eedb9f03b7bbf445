package io.orchestrion.kernel.limit;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;

/// Binds and reads the statements of `limit.sql`.
public final class LimitSql {
    private static final NamedSql SQL = NamedSql.beside(LimitSql.class, "limit.sql");

    private LimitSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// Decides all requests in their order, without waiting for anybody: those of a window that
    /// somebody holds are not decided. Reads the clock itself.
    static List<Taken> takeOrPass(Tx tx, long aheadMs, List<List<Ask>> requests)
            throws SQLException {
        var asked = new Asked(requests);
        return read(bound(tx, asked, null, aheadMs, false).one(row -> asked.taken(answer(row))));
    }

    /// Holds a window until the end of the transaction; the reader gets what is used of it once the
    /// next statement was answered, and is not called where nothing was ever taken from it.
    static void lookLater(Tx tx, Window window, Consumer<Integer> reader) {
        onWindow(tx, "look", window)
                .later(
                        row -> {
                            int used = row.getInt("used");
                            reader.accept(used);
                            return used;
                        });
    }

    /// The same at once, with the row made where there is none, and how long a full window stays
    /// full.
    static Taken look(Tx tx, Window window, int max) throws SQLException {
        var asked = new Asked(List.of(List.of(new Ask(window, 0, max))));
        return read(bound(tx, asked, tx.nowMillis(), 0, true).one(row -> asked.taken(answer(row))))
                .getFirst();
    }

    /// Takes from a window that the transaction holds, for who has made sure that there is room.
    static void takeHeld(Tx tx, Window window, int amount) {
        onWindow(tx, "take_held", window)
                .integer("amount", amount)
                .later(1, "the window that the transaction holds is gone");
    }

    private static Bound onWindow(Tx tx, String name, Window window) {
        return SQL.on(tx, name)
                .bigint("now", tx.nowMillis())
                .uuid("account", window.accountId())
                .text("subject", window.subject())
                .text("bucket", window.name())
                .bigint("slot", window.slot().toMillis());
    }

    private static List<Taken> read(@Nullable List<Taken> taken) {
        return Objects.requireNonNull(taken, "the function gives one row");
    }

    private static Bound bound(
            Tx tx, Asked asked, @Nullable Long nowMs, long aheadMs, boolean waits) {
        return SQL.on(tx, "take")
                .bigint("now", nowMs)
                .bigint("ahead", aheadMs)
                .bool("waits", waits)
                .column("accounts", "uuid", asked.rows(), row -> row.window().accountId())
                .column("subjects", "text", asked.rows(), row -> row.window().subject())
                .column("buckets", "text", asked.rows(), row -> row.window().name())
                .column("slots", "int8", asked.rows(), row -> row.window().slot().toMillis())
                .column("wanted", "int4", asked.rows(), Asked.Row::wanted)
                .column("needed", "int4", asked.rows(), Asked.Row::needed)
                .column("least", "int4", asked.rows(), Asked.Row::least)
                .column("requests", "int4", asked.asks(), Asked.One::request)
                .column("rows", "int4", asked.asks(), one -> one.row() + 1)
                .column("amounts", "int4", asked.asks(), one -> one.ask().amount())
                .column("maxima", "int4", asked.asks(), one -> one.ask().max());
    }

    private static Asked.Answer answer(ResultSet row) throws SQLException {
        return new Asked.Answer(
                Arrays.asList((@Nullable Integer[]) row.getArray("before").getArray()),
                values(row, "refused", Integer[].class),
                values(row, "wait_ms", Long[].class));
    }

    /// None where the database sent no array.
    private static <T> List<T> values(ResultSet row, String column, Class<T[]> type)
            throws SQLException {
        Array array = row.getArray(column);
        return array == null ? List.of() : List.of(type.cast(array.getArray()));
    }

    private record Used(int place, int used) {}

    /// How much is used of windows of one account.
    static List<Integer> used(Tx tx, UUID account, List<Window> windows) throws SQLException {
        List<Used> found =
                SQL.on(tx, "used")
                        .uuid("account", account)
                        .bigint("now", tx.nowMillis())
                        .column("subjects", "text", windows, Window::subject)
                        .column("buckets", "text", windows, Window::name)
                        .column("slots", "int8", windows, window -> window.slot().toMillis())
                        .list(row -> new Used(row.getInt("place"), row.getInt("used")));
        var used = new ArrayList<>(Collections.nCopies(windows.size(), 0));
        found.forEach(one -> used.set(one.place() - 1, one.used()));
        return used;
    }

    static int purgeIdle(Tx tx, int most) throws SQLException {
        return SQL.on(tx, "purge_idle")
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .update();
    }
}
