package io.orchestrion.kernel.limit;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.TreeSet;

/// Binds and reads the statements of `limit.sql`.
public final class LimitSql {
    private static final NamedSql SQL = NamedSql.beside(LimitSql.class, "limit.sql");

    /// One order for all, so that two batches wait for each other but never both ways. By the
    /// texts of the ids: Java and PostgreSQL order the ids themselves differently.
    private static final Comparator<Window> ORDER =
            Comparator.comparing((Window window) -> window.accountId().toString())
                    .thenComparing(Window::subject)
                    .thenComparing(Window::name);

    private LimitSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    private record Line(boolean granted, int used, long waitMs) {}

    private record Asked(int request, int row, Ask ask) {}

    /// @param nowMs null where the statement is to read the clock
    static List<Taken> take(Tx tx, @Nullable Long nowMs, long aheadMs, List<List<Ask>> requests)
            throws SQLException {
        var windows = new TreeSet<>(ORDER);
        requests.forEach(asks -> asks.forEach(ask -> windows.add(ask.window())));
        List<Window> rows = List.copyOf(windows);
        var rowOf = new HashMap<Window, Integer>();
        for (int i = 0; i < rows.size(); i++) {
            rowOf.put(rows.get(i), i + 1);
        }
        var asked = new ArrayList<Asked>();
        for (int request = 0; request < requests.size(); request++) {
            for (Ask ask : requests.get(request)) {
                asked.add(new Asked(request, rowOf.getOrDefault(ask.window(), 0), ask));
            }
        }
        List<Line> lines =
                SQL.on(tx, "take")
                        .bigint("now", nowMs)
                        .bigint("ahead", aheadMs)
                        .column("accounts", "uuid", rows, Window::accountId)
                        .column("subjects", "text", rows, Window::subject)
                        .column("buckets", "text", rows, Window::name)
                        .column("slots", "int8", rows, window -> window.slot().toMillis())
                        .column("requests", "int4", asked, Asked::request)
                        .column("rows", "int4", asked, Asked::row)
                        .column("amounts", "int4", asked, one -> one.ask().amount())
                        .column("maxima", "int4", asked, one -> one.ask().max())
                        .list(
                                row ->
                                        new Line(
                                                row.getBoolean("granted"),
                                                row.getInt("used"),
                                                row.getLong("wait_ms")));
        var taken = new ArrayList<Taken>();
        int place = 0;
        for (List<Ask> asks : requests) {
            taken.add(taken(asks, lines.subList(place, place + asks.size())));
            place += asks.size();
        }
        return taken;
    }

    private static Taken taken(List<Ask> asks, List<Line> lines) {
        Ask full = null;
        long waitMs = 0;
        for (int i = 0; i < asks.size(); i++) {
            if (!lines.get(i).granted() && lines.get(i).waitMs() > 0) {
                full = asks.get(i);
                waitMs = lines.get(i).waitMs();
            }
        }
        return new Taken(lines.stream().map(Line::used).toList(), full, waitMs);
    }

    static int purgeIdle(Tx tx, int most) throws SQLException {
        return SQL.on(tx, "purge_idle")
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .update();
    }
}
