package io.orchestrion.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Properties;

/// What the bench asks of the database beside the load: databases of its own, and what was written.
public final class StoreSql {
    private StoreSql() {}

    /// Where a database is.
    public record Address(String jdbcUrl, String user, String password) {
        public Connection connect() throws SQLException {
            var properties = new Properties();
            properties.setProperty("user", user);
            properties.setProperty("password", password);
            properties.setProperty("ApplicationName", "orchestrion-bench");
            return DriverManager.getConnection(jdbcUrl, properties);
        }
    }

    static void createDatabase(Address any, String name) throws SQLException {
        execute(any, "create database \"" + name + "\"");
    }

    static void dropDatabase(Address any, String name) throws SQLException {
        execute(any, "drop database if exists \"" + name + "\" with (force)");
    }

    /// So that each measurement begins with the log and the tables in the same state.
    public static void settle(Address database) throws SQLException {
        execute(database, "vacuum analyze");
        execute(database, "checkpoint");
    }

    /// Puts accounts whose names begin so on the plan that is not counted.
    public static void liftLimits(Address database, String names) throws SQLException {
        execute(
                database,
                "update orchestrion.account set plan = 'unlimited' where name like '"
                        + names
                        + "%'");
    }

    public static void execute(Address database, String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    public static String text(Address database, String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? String.valueOf(rows.getString(1)) : "";
        }
    }

    static String durability(Address database) throws SQLException {
        return text(
                database,
                "select string_agg(name || ' ' || setting, ', ' order by name) from pg_settings"
                        + " where name in ('fsync', 'synchronous_commit', 'full_page_writes')");
    }

    static Instant now(Address database) throws SQLException {
        return Instant.ofEpochMilli(
                Long.parseLong(
                        text(
                                database,
                                "select floor(extract(epoch from clock_timestamp()) *"
                                        + " 1000)::bigint")));
    }

    /// Nothing that dies after this is cleared away until it is closed.
    public static AutoCloseable holdSnapshot(Address database) throws SQLException {
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = connection.createStatement()) {
            statement.execute("set local idle_in_transaction_session_timeout = 0");
            statement.execute("select 1");
        }
        return connection;
    }

    /// How far the log is written, asked over one connection that stays open: to log in takes so
    /// much processor time, and so much new code for the compiler, that it would show in what is
    /// measured.
    public static final class LogMeter implements AutoCloseable {
        private final Connection connection;

        public LogMeter(Address database) throws SQLException {
            connection = database.connect();
        }

        /// Bytes since the database was made.
        public double bytes() {
            try (Statement statement = connection.createStatement();
                    ResultSet rows =
                            statement.executeQuery(
                                    "select pg_current_wal_insert_lsn() - '0/0'::pg_lsn")) {
                rows.next();
                return rows.getDouble(1);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            try {
                connection.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// What a session has counted reaches the statistics a moment after it has become idle.
    public static void awaitStatistics() throws InterruptedException {
        Thread.sleep(1500);
    }

    /// How many rows of a table were updated.
    ///
    /// @param hot those of them that touched no index
    public record Updates(double all, double hot) {
        public double hotShareSince(Updates before) {
            return (hot - before.hot) / (all - before.all);
        }
    }

    public static Updates updates(Address database, String table) {
        String of = " from pg_stat_user_tables where relname = '" + table + "'";
        return new Updates(
                number(database, "select coalesce(sum(n_tup_upd), 0)" + of),
                number(database, "select coalesce(sum(n_tup_hot_upd), 0)" + of));
    }

    public static double number(Address database, String sql) {
        try {
            return Double.parseDouble(text(database, sql));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
