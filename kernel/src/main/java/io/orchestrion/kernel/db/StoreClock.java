package io.orchestrion.kernel.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/// The one source of time for everything stored or compared: the database's clock, in whole
/// milliseconds. Read once a transaction and bound as a parameter from there, so that all nodes
/// agree whatever their own clocks say, and so that a test can move it.
@FunctionalInterface
public interface StoreClock {

    StoreClock DATABASE =
            connection -> {
                // Prepared, because it is said with every transaction: to plan it each time takes
                // longer than to run it.
                try (PreparedStatement statement =
                                connection.prepareStatement(
                                        "select floor(extract(epoch from clock_timestamp()) *"
                                                + " 1000)::bigint");
                        var rows = statement.executeQuery()) {
                    rows.next();
                    return rows.getLong(1);
                }
            };

    long nowMillis(Connection connection) throws SQLException;

    /// How far ahead of the database's own clock this one is, for a statement that reads the time
    /// itself.
    default long aheadMillis() {
        return 0;
    }
}
