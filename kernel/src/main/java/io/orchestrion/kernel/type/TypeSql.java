package io.orchestrion.kernel.type;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.type.WorkType.Defaults;
import io.orchestrion.kernel.type.WorkType.Limits;
import io.orchestrion.kernel.type.WorkType.Spec;
import io.orchestrion.kernel.type.WorkType.State;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `type.sql`; decides nothing.
public final class TypeSql {
    private static final NamedSql SQL = NamedSql.beside(TypeSql.class, "type.sql");

    private TypeSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// Which type of which account.
    record Name(UUID account, String queue, String kind) {}

    /// The whole row, with the columns that are not shown to the outside.
    ///
    /// @param rerankAfter the last item that the pass under way has looked at; null for no pass
    /// @param rerankCheckMs when to look once more; null when that is done
    record Row(
            WorkType type,
            boolean removed,
            boolean reflow,
            @Nullable UUID rerankAfter,
            @Nullable Long rerankCheckMs) {

        boolean settled() {
            return rerankAfter == null && rerankCheckMs == null && !reflow;
        }
    }

    /// What the door needs to know before it takes a task.
    record Known(boolean strict, @Nullable WorkType type) {}

    static @Nullable WorkType find(Tx tx, Name name) throws SQLException {
        return on(tx, "find", name).one(TypeSql::type);
    }

    static List<WorkType> list(Tx tx, UUID account, String queue, String after, int most)
            throws SQLException {
        return SQL.on(tx, "list")
                .uuid("account", account)
                .text("queue", queue)
                .text("after", after)
                .integer("most", most)
                .list(TypeSql::type);
    }

    static @Nullable Known known(Tx tx, Name name) throws SQLException {
        return on(tx, "known", name)
                .one(
                        row ->
                                new Known(
                                        row.getBoolean("strict_types"),
                                        row.getString("kind") == null ? null : type(row)));
    }

    /// Whether the type takes nothing new, for those who make work inside a transaction.
    public static boolean draining(Tx tx, UUID account, String queue, String kind)
            throws SQLException {
        return isTrue(
                SQL.on(tx, "draining")
                        .uuid("account", account)
                        .text("queue", queue)
                        .text("kind", kind),
                "draining");
    }

    static boolean checksResults(Tx tx, UUID account, String queue) throws SQLException {
        return isTrue(
                SQL.on(tx, "checks_results").uuid("account", account).text("queue", queue),
                "checks");
    }

    static boolean strict(Tx tx, UUID account) throws SQLException {
        return isTrue(SQL.on(tx, "strict").uuid("account", account), "strict_types");
    }

    static void setStrict(Tx tx, UUID account, boolean strict) throws SQLException {
        SQL.on(tx, "set_strict").uuid("account", account).bool("strict", strict).update();
    }

    static void lockAccount(Tx tx, UUID account) throws SQLException {
        SQL.on(tx, "lock_account").uuid("account", account).list(row -> row.getString(1));
    }

    static long count(Tx tx, UUID account, String queue) throws SQLException {
        return SQL.on(tx, "count")
                .uuid("account", account)
                .text("queue", queue)
                .list(row -> row.getLong(1))
                .getFirst();
    }

    static @Nullable Row lock(Tx tx, Name name, boolean wait) throws SQLException {
        return on(tx, wait ? "lock" : "lock_unless_busy", name)
                .one(
                        row ->
                                new Row(
                                        type(row),
                                        row.getBoolean("removed"),
                                        row.getBoolean("reflow"),
                                        row.getObject("rerank_after", UUID.class),
                                        Bound.nullableLong(row, "rerank_check_ms")));
    }

    static void put(Tx tx, Name name, Row row) throws SQLException {
        Spec spec = row.type().spec();
        State state = row.type().state();
        on(tx, "put", name)
                .text("description", spec.description())
                .text("payload_schema", spec.payloadSchema())
                .text("result_schema", spec.resultSchema())
                .integer("priority", spec.defaults().priority())
                .integer("max_attempts", spec.defaults().maxAttempts())
                .integer("lease_seconds", spec.defaults().leaseSeconds())
                .bigint("aging_ms", spec.agingMs())
                .integer("concurrency_max", spec.limits().concurrencyMax())
                .integer("rate_max", spec.limits().rateMax())
                .bigint("rate_period_ms", spec.limits().periodMs())
                .bool("flow", spec.limits().flow())
                .bool("reflow", row.reflow())
                .bool("paused", row.type().paused())
                .bigint("paused_ms", state.pausedMs())
                .bool("draining", row.type().draining())
                .bigint("draining_ms", state.drainingMs())
                .bool("removed", row.removed())
                .bool("reranking", state.reranking())
                .uuid("rerank_after", row.rerankAfter())
                .bigint("rerank_check_ms", row.rerankCheckMs())
                .bigint("created_ms", state.createdMs())
                .bigint("updated_ms", state.updatedMs())
                .update();
    }

    static void move(Tx tx, Name name, @Nullable Long pausedMs, @Nullable Long drainingMs)
            throws SQLException {
        on(tx, "move", name)
                .bool("paused", pausedMs != null)
                .bigint("paused_ms", pausedMs)
                .bool("draining", drainingMs != null)
                .bigint("draining_ms", drainingMs)
                .bigint("now", tx.nowMillis())
                .update();
    }

    static void setRerank(
            Tx tx, Name name, boolean shown, @Nullable UUID after, @Nullable Long checkMs)
            throws SQLException {
        on(tx, "set_rerank", name)
                .bool("reranking", shown)
                .uuid("rerank_after", after)
                .bigint("rerank_check_ms", checkMs)
                .update();
    }

    static void delete(Tx tx, Name name) throws SQLException {
        on(tx, "delete", name).update();
    }

    static List<Name> unsettled(Tx tx, int most) throws SQLException {
        return SQL.on(tx, "unsettled")
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(
                        row ->
                                new Name(
                                        row.getObject("account_id", UUID.class),
                                        row.getString("queue"),
                                        row.getString("kind")));
    }

    static List<UUID> claimable(Tx tx, Name name, int most) throws SQLException {
        return on(tx, "claimable", name)
                .integer("most", most)
                .list(row -> row.getObject("id", UUID.class));
    }

    static int rerank(Tx tx, UUID account, List<UUID> ids, @Nullable Long agingMs)
            throws SQLException {
        return SQL.on(tx, "rerank")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .bigint("aging_ms", agingMs)
                .update();
    }

    static boolean claimableIsStale(Tx tx, Name name, @Nullable Long agingMs) throws SQLException {
        return isTrue(on(tx, "claimable_is_stale", name).bigint("aging_ms", agingMs), "stale");
    }

    static @Nullable UUID windowEnd(Tx tx, UUID account, UUID after, int most) throws SQLException {
        return SQL.on(tx, "window_end")
                .uuid("account", account)
                .uuid("after", after)
                .integer("most", most)
                .one(row -> row.getObject("id", UUID.class));
    }

    static int rerankWindow(Tx tx, Name name, @Nullable Long agingMs, UUID after, UUID until)
            throws SQLException {
        return on(tx, "rerank_window", name)
                .bigint("aging_ms", agingMs)
                .uuid("after", after)
                .uuid("until", until)
                .update();
    }

    static boolean windowIsStale(Tx tx, Name name, @Nullable Long agingMs, UUID after, UUID until)
            throws SQLException {
        return isTrue(
                on(tx, "window_is_stale", name)
                        .bigint("aging_ms", agingMs)
                        .uuid("after", after)
                        .uuid("until", until),
                "stale");
    }

    private static Bound on(Tx tx, String statement, Name name) throws SQLException {
        return SQL.on(tx, statement)
                .uuid("account", name.account())
                .text("queue", name.queue())
                .text("kind", name.kind());
    }

    private static boolean isTrue(Bound bound, String column) throws SQLException {
        return bound.list(row -> row.getBoolean(column)).contains(true);
    }

    private static WorkType type(ResultSet row) throws SQLException {
        return new WorkType(
                new Spec(
                        row.getString("kind"),
                        row.getString("description"),
                        row.getString("payload_schema"),
                        row.getString("result_schema"),
                        new Defaults(
                                integer(row, "priority"),
                                integer(row, "max_attempts"),
                                integer(row, "lease_seconds")),
                        Bound.nullableLong(row, "aging_ms"),
                        new Limits(
                                integer(row, "concurrency_max"),
                                integer(row, "rate_max"),
                                Bound.nullableLong(row, "rate_period_ms"))),
                new State(
                        Bound.nullableLong(row, "paused_ms"),
                        Bound.nullableLong(row, "draining_ms"),
                        row.getBoolean("reranking"),
                        row.getLong("created_ms"),
                        row.getLong("updated_ms")));
    }

    private static @Nullable Integer integer(ResultSet row, String column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? null : value;
    }
}
