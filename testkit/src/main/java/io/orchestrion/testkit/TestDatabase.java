package io.orchestrion.testkit;

import io.orchestrion.kernel.db.DatabaseOptions;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A database of one test, with a direct way into its tables: to look, and to age rows.
public final class TestDatabase implements AutoCloseable {
    private static final int OWN_ANSWERS_IN_SECONDS = 5;

    private final TestPostgres server;
    private final String name;

    /// Opening a session takes longer than most of what a test looks up, so looks share one.
    private @Nullable Connection own;

    TestDatabase(TestPostgres server, String name) {
        this.server = server;
        this.name = name;
    }

    String name() {
        return name;
    }

    public DatabaseOptions options() {
        return server.options(name).withPoolSize(4);
    }

    /// A connection beside the product's own, in the product's schema.
    public Connection connect() {
        try {
            Connection connection = server.connect(name);
            try (Statement statement = connection.createStatement()) {
                statement.execute("set search_path = orchestrion");
            }
            return connection;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Rows as maps from column to value.
    public List<Map<String, @Nullable Object>> rows(String sql, @Nullable Object... parameters) {
        try {
            return read(sql, parameters);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private synchronized List<Map<String, @Nullable Object>> read(
            String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepared(own(), sql, parameters);
                ResultSet result = statement.executeQuery()) {
            var rows = new ArrayList<Map<String, @Nullable Object>>();
            while (result.next()) {
                var row = new LinkedHashMap<String, @Nullable Object>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.put(result.getMetaData().getColumnLabel(i), result.getObject(i));
                }
                rows.add(row);
            }
            return rows;
        }
    }

    /// A new one where a test has ended the sessions of its database.
    private Connection own() throws SQLException {
        Connection current = own;
        if (current == null || !current.isValid(OWN_ANSWERS_IN_SECONDS)) {
            current = connect();
            own = current;
        }
        return current;
    }

    /// The first column of the only row.
    @SuppressWarnings("unchecked")
    public <T> T value(String sql, @Nullable Object... parameters) {
        List<Map<String, @Nullable Object>> rows = rows(sql, parameters);
        if (rows.size() != 1) {
            throw new AssertionError(rows.size() + " rows: " + sql);
        }
        return (T) rows.getFirst().values().iterator().next();
    }

    public int execute(String sql, @Nullable Object... parameters) {
        try {
            return tryExecute(sql, parameters);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /// For statements that the database is expected to refuse.
    public synchronized int tryExecute(String sql, @Nullable Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = prepared(own(), sql, parameters)) {
            return statement.executeUpdate();
        }
    }

    private static PreparedStatement prepared(
            Connection connection, String sql, @Nullable Object[] parameters) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
        return statement;
    }

    @Override
    public synchronized void close() {
        Connection current = own;
        if (current != null) {
            try {
                current.close();
            } catch (SQLException e) {
                // The server may be gone already, and the session with it.
                own = null;
            }
        }
        server.drop(name);
    }
}
