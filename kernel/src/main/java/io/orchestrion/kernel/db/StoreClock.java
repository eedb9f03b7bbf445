package io.orchestrion.kernel.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/// The one source of time for everything stored or compared: the database's clock, in whole
/// milliseconds. Read once a transaction and bound as a parameter from there, so that all nodes
/// agree whatever their own clocks say, and so that a test can move it.
public interface StoreClock {

    StoreClock DATABASE =
            new StoreClock() {
                @Override
                public long nowMillis(Connection connection) throws SQLException {
                    // Prepared, because it is asked often, and planning it each time takes longer
                    // than running it.
                    try (PreparedStatement statement =
                                    connection.prepareStatement(
                                            "select floor(extract(epoch from clock_timestamp()) *"
                                                    + " 1000)::bigint");
                            var rows = statement.executeQuery()) {
                        rows.next();
                        return rows.getLong(1);
                    }
                }

                @Override
                public Duration countedOn() {
                    return Duration.ofMillis(50);
                }
            };

    long nowMillis(Connection connection) throws SQLException;

    /// How long a busy connection counts on from what it was told before it asks again. Counted
    /// from when the answer came, so the time is late by the answer's way and never early; and a
    /// connection that rested longer is asked first, which shows whether it still lives.
    default Duration countedOn() {
        return Duration.ZERO;
    }

    /// How far ahead of the database's own clock this one is, for a statement that reads the time
    /// itself.
    default long aheadMillis() {
        return 0;
    }
}
