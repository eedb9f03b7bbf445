package io.orchestrion.bench;

import io.orchestrion.bench.StoreSql.Address;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// Fills a store with finished tasks by copying one of them, column by column whatever the columns
/// are, under ids of earlier times.
public final class HistorySql {
    private static final int CHUNK = 100_000;
    private static final List<String> TABLES = List.of("work", "event_chunk");

    /// A time-ordered id of the number `i`, a hundred to the millisecond.
    private static final String NEW_ID =
            "(lpad(to_hex(%d::bigint + i / 100), 12, '0') || '7' || substr(md5(i::text), 1, 3)"
                    + " || '8' || substr(md5(i::text), 4, 15))::uuid";

    private HistorySql() {}

    /// @param say told how far it is
    public static void fill(Address database, long rows, Consumer<String> say) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            // What guards rows against wrong changes need not look at copies of right ones.
            statement.execute("set session_replication_role = replica");
            statement.execute("set synchronous_commit = off");
            String id = one(statement, "select id from work where state = 'succeeded' limit 1");
            String account = one(statement, "select account_id from work where id = '" + id + "'");
            long baseMs =
                    Long.parseLong(one(statement, "select min(created_ms) from work"))
                            - rows / 100
                            - 1;
            for (long from = 0; from < rows; from += CHUNK) {
                long to = Math.min(rows, from + CHUNK) - 1;
                for (String table : TABLES) {
                    statement.execute(copy(statement, table, account, id, baseMs, from, to));
                }
                if (to + 1 == rows || (from / CHUNK) % 10 == 9) {
                    say.accept(
                            String.format(
                                    Locale.ROOT, "  %,d of %,d finished tasks", to + 1, rows));
                }
            }
        }
    }

    private static String copy(
            Statement statement,
            String table,
            String account,
            String id,
            long baseMs,
            long from,
            long to)
            throws SQLException {
        String idColumn = table.equals("work_event") ? "work_id" : "id";
        var columns = new ArrayList<String>();
        try (ResultSet found =
                statement.executeQuery(
                        "select column_name from information_schema.columns where table_schema ="
                                + " current_schema() and table_name = '"
                                + table
                                + "' and is_generated = 'NEVER' order by ordinal_position")) {
            while (found.next()) {
                columns.add(found.getString(1));
            }
        }
        String values =
                columns.stream()
                        .map(
                                column ->
                                        column.equals(idColumn)
                                                ? String.format(Locale.ROOT, NEW_ID, baseMs)
                                                : "t." + column)
                        .collect(Collectors.joining(", "));
        return "insert into "
                + table
                + " ("
                + String.join(", ", columns)
                + ") select "
                + values
                + " from "
                + table
                + " t, generate_series("
                + from
                + ", "
                + to
                + ") as i where t.account_id = '"
                + account
                + "' and t."
                + idColumn
                + " = '"
                + id
                + "'";
    }

    private static String one(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            if (!rows.next()) {
                throw new SQLException("nothing to copy: " + sql);
            }
            return rows.getString(1);
        }
    }

    /// By table.
    public static Map<String, Double> sequentialScans(Address database) {
        var scans = new TreeMap<String, Double>();
        for (String table : TABLES) {
            scans.put(
                    table,
                    StoreSql.number(
                            database,
                            "select coalesce(sum(seq_scan), 0) from pg_stat_user_tables where"
                                    + " relname = '"
                                    + table
                                    + "'"));
        }
        return scans;
    }

    public static double total(Map<String, Double> scans) {
        return scans.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
