package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `ready.sql`; decides nothing.
public final class ReadySql {
    private static final NamedSql SQL = NamedSql.beside(ReadySql.class, "ready.sql");

    private ReadySql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    static List<UUID> claimable(Tx tx, UUID account, String queue, String kind, int most)
            throws SQLException {
        return SQL.on(tx, "claimable")
                .uuid("account", account)
                .text("queue", queue)
                .text("kind", kind)
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(row -> row.getObject("id", UUID.class));
    }

    static List<UUID> lockReady(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        return SQL.on(tx, "lock_ready")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(row -> row.getObject("id", UUID.class));
    }
}
