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

/// What each statement takes, as PostgreSQL counts it.
final class StatementsSql {
    static final Map<String, String> SETTINGS =
            Map.of(
                    "shared_preload_libraries", "pg_stat_statements",
                    "pg_stat_statements.track_planning", "on",
                    "pg_stat_statements.track_utility", "on");

    private static final String MOST =
            """
            select calls, total_exec_time, total_plan_time, rows, wal_bytes,
                   left(regexp_replace(query, '[[:space:]]+', ' ', 'g'), 70) as query
              from pg_stat_statements s
              join pg_database d on d.oid = s.dbid and d.datname = current_database()
             order by total_exec_time + total_plan_time desc
             limit 20
            """;

    private StatementsSql() {}

    static void begin(Address database) throws SQLException {
        StoreSql.execute(database, "create extension if not exists pg_stat_statements");
    }

    static List<String> most(Address database) throws SQLException {
        var lines = new ArrayList<String>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(MOST)) {
            while (rows.next()) {
                double calls = rows.getDouble("calls");
                lines.add(
                        String.format(
                                Locale.ROOT,
                                "  %9.0f ms run, %8.0f ms planned, %8.0f calls, %6.2f rows, %6.0f"
                                        + " B of log a call: %s",
                                rows.getDouble("total_exec_time"),
                                rows.getDouble("total_plan_time"),
                                calls,
                                rows.getDouble("rows") / calls,
                                rows.getDouble("wal_bytes") / calls,
                                rows.getString("query")));
            }
        }
        return lines;
    }
}
