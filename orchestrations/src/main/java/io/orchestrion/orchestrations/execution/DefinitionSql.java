package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.orchestrations.definition.Definition;
import io.orchestrion.orchestrations.execution.DefinitionVersion.Status;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// Binds and reads the statements of `definition.sql`; decides nothing.
public final class DefinitionSql {
    private static final NamedSql SQL = NamedSql.beside(DefinitionSql.class, "definition.sql");

    private DefinitionSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    /// How definitions stand at one moment.
    ///
    /// @param newest the newest published version by definition
    record Standing(Set<Ref> published, Map<UUID, Integer> newest) {
        record Ref(UUID id, int version) {}
    }

    /// False where the definition has such a version, or a draft.
    static boolean insert(Tx tx, UUID account, UUID id, int version, Definition definition)
            throws SQLException {
        return content(SQL.on(tx, "insert"), tx, account, id, version, definition).update() == 1;
    }

    /// False where the version is no draft.
    static boolean rewrite(Tx tx, UUID account, UUID id, int version, Definition definition)
            throws SQLException {
        return content(SQL.on(tx, "rewrite"), tx, account, id, version, definition).update() == 1;
    }

    private static Bound content(
            Bound bound, Tx tx, UUID account, UUID id, int version, Definition definition) {
        return bound.uuid("account", account)
                .uuid("id", id)
                .integer("version", version)
                .text("name", definition.name())
                .text("document", definition.text())
                .text("checksum", definition.checksum())
                .bigint("now", tx.nowMillis());
    }

    static boolean publish(Tx tx, UUID account, UUID id, int version) throws SQLException {
        return on(tx, "publish", account, id, version).bigint("now", tx.nowMillis()).update() == 1;
    }

    static boolean deprecate(Tx tx, UUID account, UUID id, int version) throws SQLException {
        return on(tx, "deprecate", account, id, version).bigint("now", tx.nowMillis()).update()
                == 1;
    }

    static @Nullable DefinitionVersion find(Tx tx, UUID account, UUID id, int version)
            throws SQLException {
        return on(tx, "find", account, id, version).one(DefinitionSql::read);
    }

    static @Nullable DefinitionVersion lock(Tx tx, UUID account, UUID id, int version)
            throws SQLException {
        return on(tx, "lock", account, id, version).one(DefinitionSql::read);
    }

    private static Bound on(Tx tx, String name, UUID account, UUID id, int version) {
        return SQL.on(tx, name).uuid("account", account).uuid("id", id).integer("version", version);
    }

    /// The newest version, locked.
    static @Nullable DefinitionVersion newest(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "newest")
                .uuid("account", account)
                .uuid("id", id)
                .one(DefinitionSql::read);
    }

    /// Newest first.
    static List<DefinitionVersion> versions(
            Tx tx, UUID account, UUID id, @Nullable Integer before, int most) throws SQLException {
        return SQL.on(tx, "versions")
                .uuid("account", account)
                .uuid("id", id)
                .integer("before", before)
                .integer("most", most)
                .list(DefinitionSql::read);
    }

    static List<DefinitionVersion> page(Tx tx, DefinitionQuery query, int most)
            throws SQLException {
        Status status = query.status();
        return SQL.on(tx, "page")
                .uuid("account", query.account())
                .uuid("before", query.before())
                .text("status", status == null ? null : status.word())
                .text("name", query.name())
                .integer("most", most)
                .list(DefinitionSql::read);
    }

    static Standing standing(Tx tx, UUID account, Collection<UUID> ids) throws SQLException {
        var published = new HashSet<Standing.Ref>();
        var newest = new HashMap<UUID, Integer>();
        SQL.on(tx, "standing")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(
                        row -> {
                            UUID id = row.getObject("id", UUID.class);
                            if (row.getString("status").equals(Status.PUBLISHED.word())) {
                                published.add(new Standing.Ref(id, row.getInt("version")));
                            }
                            int last = row.getInt("newest");
                            if (!row.wasNull()) {
                                newest.put(id, last);
                            }
                            return id;
                        });
        return new Standing(published, newest);
    }

    static void serialize(Tx tx, UUID account, Collection<UUID> ids) throws SQLException {
        SQL.on(tx, "serialize")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(row -> row.getObject("id", UUID.class));
    }

    private static DefinitionVersion read(ResultSet row) throws SQLException {
        return new DefinitionVersion(
                row.getObject("id", UUID.class),
                row.getInt("version"),
                Status.named(row.getString("status")).orElseThrow(),
                row.getString("name"),
                row.getString("document"),
                row.getString("checksum"),
                new DefinitionVersion.Times(
                        row.getLong("created_ms"),
                        row.getLong("updated_ms"),
                        Bound.nullableLong(row, "published_ms"),
                        Bound.nullableLong(row, "deprecated_ms")));
    }
}
