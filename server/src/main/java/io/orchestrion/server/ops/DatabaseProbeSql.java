package io.orchestrion.server.ops;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/// One connection to an outside database, to learn whether it answers and what it is.
final class DatabaseProbeSql {
    private static final int CONNECT_SECONDS = 5;

    /// @param number as `server_version_num`: 180006 for 18.6
    record Version(int number, String text) {}

    private DatabaseProbeSql() {}

    static Version version(String jdbcUrl, @Nullable String user, @Nullable String password)
            throws SQLException {
        var properties = new Properties();
        if (user != null) {
            properties.setProperty("user", user);
        }
        if (password != null) {
            properties.setProperty("password", password);
        }
        properties.setProperty("loginTimeout", Integer.toString(CONNECT_SECONDS));
        properties.setProperty("connectTimeout", Integer.toString(CONNECT_SECONDS));
        properties.setProperty("socketTimeout", Integer.toString(CONNECT_SECONDS));
        properties.setProperty("ApplicationName", "orchestrion");
        try (Connection connection = DriverManager.getConnection(jdbcUrl, properties);
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery(
                                "select current_setting('server_version_num')::int,"
                                    + " split_part(current_setting('server_version'), ' ', 1)")) {
            if (!row.next()) {
                throw new SQLException("the database told no version", "08P01");
            }
            return new Version(row.getInt(1), row.getString(2));
        }
    }
}
