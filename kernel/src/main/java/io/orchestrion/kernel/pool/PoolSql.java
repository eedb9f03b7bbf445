package io.orchestrion.kernel.pool;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `pool.sql`.
public final class PoolSql {
    private static final NamedSql SQL = NamedSql.beside(PoolSql.class, "pool.sql");

    private PoolSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// An account with work of the kind.
    ///
    /// @param oldestMs since when the first of it stands in line
    /// @param seen how much of it was seen
    record Waiting(UUID account, long oldestMs, int seen) {}

    /// The next accounts, in the order of their ids.
    ///
    /// @param from goes on behind this one
    /// @param scanned how many items are looked at
    static List<Waiting> waiting(Tx tx, String queue, String kind, UUID from, int scanned)
            throws SQLException {
        return SQL.on(tx, "waiting")
                .text("queue", queue)
                .text("kind", kind)
                .uuid("from", from)
                .integer("scanned", scanned)
                .list(
                        row ->
                                new Waiting(
                                        row.getObject("account_id", UUID.class),
                                        row.getLong("oldest_ms"),
                                        row.getInt("seen")));
    }
}
