package io.orchestrion.kernel.db;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// Where the rows of tables are on a PostgreSQL that is spread over several machines. Each
/// [SchemaPart] declares it for its tables. A test checks the statements against it, and
/// `./orchestrion database distribute` carries it out.
public final class Tables {

    /// Where the rows of a table are.
    public enum Place {
        /// The rows of an account are together on one machine, with those of the other such tables.
        BY_ACCOUNT,
        /// Whole on each machine: read much, written seldom, and looked up without an account.
        EVERYWHERE,
        /// On the machine that all connect to.
        AT_THE_ENTRY
    }

    private Tables() {}

    /// Whether they are spread. The catalogue that tells is there only with the extension.
    static boolean areDistributed(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return yes(statement, "select to_regclass('pg_dist_partition') is not null")
                    && yes(
                            statement,
                            "select exists (select from pg_dist_partition"
                                    + " where logicalrelid = to_regclass('work'))");
        }
    }

    private static boolean yes(Statement statement, String question) throws SQLException {
        try (ResultSet rows = statement.executeQuery(question)) {
            return rows.next() && rows.getBoolean(1);
        }
    }
}
