package io.orchestrion.kernel.db;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// Keeps the positions of events above all that a reader can have seen when the data goes back:
/// where a dump is restored into another cluster, or where a base backup or a standby that lagged
/// takes over.
final class Eras {
    private static final Logger log = LoggerFactory.getLogger(Eras.class);

    /// How far a new era begins above all that is stored. Readers may have seen events that the
    /// restored data lacks; their cursors must lie below what comes.
    private static final long LEAP = 1L << 32;

    private Eras() {}

    /// Begins an era when this is another cluster than that of the last. In one transaction, which
    /// the caller has open, and under the lock of the migrations.
    static void settle(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            String cluster = cluster(statement);
            Era last = last(statement);
            if (last != null && last.cluster().equals(cluster)) {
                return;
            }
            long start = last == null ? highest(statement) : next(statement, last);
            // A transaction that gives positions at this moment has either the old number or the
            // new one. The next positions in that log are above it either way.
            statement.execute("update event_log set position = greatest(position, " + start + ")");
            try (var insert =
                    connection.prepareStatement(
                            "insert into event_era (start, cluster) values (?, ?)")) {
                insert.setLong(1, start);
                insert.setString(2, cluster);
                insert.executeUpdate();
            }
            log.info("event positions begin at {} from now on", start);
        }
    }

    private record Era(long start, String cluster) {}

    private static @Nullable Era last(Statement statement) throws SQLException {
        try (ResultSet rows =
                statement.executeQuery(
                        "select start, cluster from event_era order by start desc limit 1")) {
            return rows.next() ? new Era(rows.getLong(1), rows.getString(2)) : null;
        }
    }

    private static long next(Statement statement, Era last) throws SQLException {
        return Math.max(last.start(), highest(statement)) + LEAP;
    }

    private static long highest(Statement statement) throws SQLException {
        return number(statement, "select coalesce(max(position), 0) from event_log");
    }

    /// Identifies the cluster, its timeline and the table itself, which only a copy of the files
    /// preserves. A user without the right to ask for the first two compares only the last. A
    /// restored dump changes that too, though not always.
    private static String cluster(Statement statement) throws SQLException {
        String own =
                text(
                        statement,
                        "select oid || '/' || 'event_chunk'::regclass::oid from pg_database"
                                + " where datname = current_database()");
        boolean allowed =
                number(
                                statement,
                                "select (has_function_privilege('pg_control_system()', 'execute')"
                                        + " and has_function_privilege('pg_control_checkpoint()',"
                                        + " 'execute'))::int")
                        == 1;
        return allowed
                ? text(
                                statement,
                                "select s.system_identifier || '/' || c.timeline_id"
                                        + " from pg_control_system() s, pg_control_checkpoint() c")
                        + "/"
                        + own
                : own;
    }

    private static long number(Statement statement, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static String text(Statement statement, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
