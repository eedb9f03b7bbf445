package io.orchestrion.runs.artifact;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.objects.ObjectKey;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Binds and reads the statements of `artifact_sweep.sql`; decides nothing.
public final class SweepSql {
    private static final NamedSql SQL = NamedSql.beside(SweepSql.class, "artifact_sweep.sql");

    private SweepSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    static List<UUID> accounts(Tx tx, int most) throws SQLException {
        return SQL.on(tx, "accounts_with_due_artifacts")
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(row -> row.getObject("account_id", UUID.class));
    }

    /// An artifact whose object is to be removed.
    ///
    /// @param was where it was before
    record Due(UUID id, UUID run, String name, ObjectKey key, ArtifactState was) {}

    static List<Due> claim(Tx tx, UUID account, long again, int most) throws SQLException {
        return SQL.on(tx, "claim_due")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .bigint("again", again)
                .integer("most", most)
                .list(
                        row ->
                                new Due(
                                        row.getObject("id", UUID.class),
                                        row.getObject("run_id", UUID.class),
                                        row.getString("name"),
                                        new ObjectKey(row.getString("object_key")),
                                        ArtifactState.named(row.getString("was")).orElseThrow()));
    }

    /// Where the artifacts of these objects are.
    static Map<ObjectKey, ArtifactState> known(Tx tx, UUID account, List<ObjectKey> keys)
            throws SQLException {
        var known = new HashMap<ObjectKey, ArtifactState>();
        SQL.on(tx, "known")
                .uuid("account", account)
                .column("keys", "text", keys, ObjectKey::text)
                .list(
                        row ->
                                known.put(
                                        new ObjectKey(row.getString("object_key")),
                                        ArtifactState.named(row.getString("state")).orElseThrow()));
        return known;
    }
}
