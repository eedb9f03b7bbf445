package io.orchestrion.runs.artifact;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.objects.ObjectKey;
import io.orchestrion.runs.state.RunStatus;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `artifact.sql`; decides nothing.
public final class ArtifactSql {
    private static final NamedSql SQL = NamedSql.beside(ArtifactSql.class, "artifact.sql");

    private ArtifactSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    static @Nullable Space space(Tx tx, UUID account) throws SQLException {
        return SQL.on(tx, "space")
                .uuid("account", account)
                .one(
                        row ->
                                new Space(
                                        account,
                                        row.getObject("space", UUID.class),
                                        row.getBytes("url_key")));
    }

    static void makeSpace(Tx tx, Space space) throws SQLException {
        SQL.on(tx, "make_space")
                .uuid("account", space.account())
                .uuid("space", space.id())
                .bytes("url_key", space.urlKey())
                .bigint("now", tx.nowMillis())
                .update();
    }

    /// @param deleted whether it was taken away before it was started
    record LockedRun(RunStatus status, boolean deleted) {}

    /// Null where there is none.
    static @Nullable LockedRun lockRun(Tx tx, UUID account, UUID run) throws SQLException {
        return SQL.on(tx, "lock_run")
                .uuid("account", account)
                .uuid("run", run)
                .one(
                        row ->
                                new LockedRun(
                                        RunStatus.of(row.getString("status")),
                                        row.getBoolean("deleted")));
    }

    static boolean hasRun(Tx tx, UUID account, UUID run) throws SQLException {
        return !SQL.on(tx, "has_run")
                .uuid("account", account)
                .uuid("run", run)
                .list(row -> row.getObject("id", UUID.class))
                .isEmpty();
    }

    static boolean anyLeft(Tx tx, UUID account, UUID run) throws SQLException {
        return !SQL.on(tx, "any_left")
                .uuid("account", account)
                .uuid("run", run)
                .list(row -> row.getObject("id", UUID.class))
                .isEmpty();
    }

    static boolean hasStep(Tx tx, UUID account, UUID run, UUID step) throws SQLException {
        return !SQL.on(tx, "has_step")
                .uuid("account", account)
                .uuid("run", run)
                .uuid("step", step)
                .list(row -> row.getObject("id", UUID.class))
                .isEmpty();
    }

    /// What a run has, with what is under way.
    record Use(int artifacts, long bytes, int uploads) {}

    static Use use(Tx tx, UUID account, UUID run) throws SQLException {
        return SQL.on(tx, "use")
                .uuid("account", account)
                .uuid("run", run)
                .list(
                        row ->
                                new Use(
                                        row.getInt("artifacts"),
                                        row.getLong("bytes"),
                                        row.getInt("uploads")))
                .getFirst();
    }

    static @Nullable Artifact named(Tx tx, UUID account, UUID run, String name)
            throws SQLException {
        return SQL.on(tx, "named")
                .uuid("account", account)
                .uuid("run", run)
                .text("name", name)
                .one(ArtifactSql::read);
    }

    static void begin(Tx tx, Artifact artifact, long due) throws SQLException {
        SQL.on(tx, "begin")
                .uuid("account", artifact.account())
                .uuid("id", artifact.id())
                .uuid("run", artifact.of().run())
                .text("name", artifact.of().name())
                .text("object_key", artifact.key().text())
                .text("content_type", artifact.of().contentType())
                .bigint("size", artifact.size())
                .uuid("step", artifact.of().step())
                .bigint("now", artifact.times().createdMs())
                .bigint("due", due)
                .update();
    }

    /// False when the upload was discarded.
    static boolean renew(Tx tx, Artifact artifact, long size, long due) throws SQLException {
        return SQL.on(tx, "renew")
                        .uuid("account", artifact.account())
                        .uuid("id", artifact.id())
                        .bigint("size", size)
                        .bigint("due", due)
                        .update()
                == 1;
    }

    /// Null when the upload was discarded.
    static @Nullable Artifact finish(Tx tx, Artifact artifact, long size, String sha256)
            throws SQLException {
        return SQL.on(tx, "finish")
                .uuid("account", artifact.account())
                .uuid("id", artifact.id())
                .bigint("size", size)
                .text("sha256", sha256)
                .bigint("now", tx.nowMillis())
                .one(ArtifactSql::read);
    }

    static void discard(Tx tx, Artifact artifact) throws SQLException {
        SQL.on(tx, "discard")
                .uuid("account", artifact.account())
                .uuid("id", artifact.id())
                .bigint("now", tx.nowMillis())
                .update();
    }

    static void removed(Tx tx, UUID account, List<UUID> ids, long due) throws SQLException {
        SQL.on(tx, "removed")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .bigint("due", due)
                .update();
    }

    static @Nullable Artifact find(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "find").uuid("account", account).uuid("id", id).one(ArtifactSql::read);
    }

    /// Null when nothing had to be changed.
    static @Nullable Artifact extend(Tx tx, UUID account, UUID id, long until) throws SQLException {
        return SQL.on(tx, "extend")
                .uuid("account", account)
                .uuid("id", id)
                .bigint("until", until)
                .bigint("now", tx.nowMillis())
                .one(ArtifactSql::read);
    }

    static List<Artifact> page(Tx tx, ArtifactQuery query) throws SQLException {
        ArtifactState state = query.state();
        return SQL.on(tx, "page")
                .uuid("account", query.account())
                .uuid("run", query.run())
                .uuid("before", query.before())
                .text("state", state == null ? null : state.word())
                .integer("most", query.limit())
                .list(ArtifactSql::read);
    }

    static int endUploads(Tx tx, UUID account, UUID run) throws SQLException {
        return SQL.on(tx, "end_uploads")
                .uuid("account", account)
                .uuid("run", run)
                .bigint("now", tx.nowMillis())
                .update();
    }

    static int endReady(Tx tx, UUID account, UUID run, long until) throws SQLException {
        return SQL.on(tx, "end_ready")
                .uuid("account", account)
                .uuid("run", run)
                .bigint("until", until)
                .bigint("now", tx.nowMillis())
                .update();
    }

    static int expireAll(Tx tx, UUID account, UUID run) throws SQLException {
        return SQL.on(tx, "expire_all")
                .uuid("account", account)
                .uuid("run", run)
                .bigint("now", tx.nowMillis())
                .update();
    }

    static List<UUID> purge(Tx tx, UUID account, UUID run, int most) throws SQLException {
        return SQL.on(tx, "purge")
                .uuid("account", account)
                .uuid("run", run)
                .integer("most", most)
                .list(row -> row.getObject("id", UUID.class));
    }

    private static Artifact read(ResultSet row) throws SQLException {
        return new Artifact(
                row.getObject("account_id", UUID.class),
                row.getObject("id", UUID.class),
                new Artifact.Of(
                        row.getObject("run_id", UUID.class),
                        row.getString("name"),
                        row.getString("content_type"),
                        row.getObject("source_step_id", UUID.class)),
                new ObjectKey(row.getString("object_key")),
                row.getLong("size"),
                row.getString("sha256"),
                ArtifactState.named(row.getString("state")).orElseThrow(),
                row.getBoolean("discarded"),
                new Artifact.Times(
                        row.getLong("created_ms"),
                        Bound.nullableLong(row, "finished_ms"),
                        Bound.nullableLong(row, "expires_ms"),
                        Bound.nullableLong(row, "deleted_ms")));
    }
}
