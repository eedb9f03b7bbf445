package io.orchestrion.testkit.sample;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// Binds and reads the statements of `errand.sql`; decides nothing.
final class ErrandSql {
    private static final NamedSql SQL = NamedSql.beside(ErrandSql.class, "errand.sql");

    private ErrandSql() {}

    static Set<UUID> lockFree(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        var bound = SQL.on(tx, "lock_free").uuid("account", account).uuids("ids", List.copyOf(ids));
        return Set.copyOf(bound.list(row -> row.getObject("id", UUID.class)));
    }

    /// Waits for it; null where there is none.
    static @Nullable Errand lock(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "lock").uuid("account", account).uuid("id", id).one(ErrandSql::errand);
    }

    private static Errand errand(ResultSet row) throws SQLException {
        return new Errand(
                row.getObject("account_id", UUID.class),
                row.getObject("id", UUID.class),
                new Errand.Asked(row.getString("input"), row.getString("correlation_id")),
                Errand.State.valueOf(row.getString("state")),
                row.getInt("seq"),
                Errand.Step.valueOf(row.getString("step")),
                row.getInt("attempt"));
    }

    static Errand save(Tx tx, Errand errand) throws SQLException {
        SQL.on(tx, "save")
                .uuid("account", errand.account())
                .uuid("id", errand.id())
                .text("input", errand.asked().input())
                .text("correlation", errand.asked().correlationId())
                .text("state", errand.state().name())
                .integer("seq", errand.seq())
                .text("step", errand.step().name())
                .integer("attempt", errand.attempt())
                .update();
        return errand;
    }
}
