package io.orchestrion.kernel.pool;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `held.sql`.
public final class HeldSql {
    private static final NamedSql SQL = NamedSql.beside(HeldSql.class, "held.sql");

    private HeldSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// A lease that somebody believes to have.
    record Held(UUID id, @Nullable UUID token) {}

    /// Those of the leases that are no longer held.
    static List<UUID> lost(Tx tx, UUID account, List<Held> held) throws SQLException {
        return SQL.on(tx, "lost")
                .uuid("account", account)
                .column("ids", "uuid", held, Held::id)
                .column("tokens", "uuid", held, Held::token)
                .list(row -> row.getObject("id", UUID.class));
    }
}
