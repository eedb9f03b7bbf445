package io.orchestrion.kernel.bulk;

import io.orchestrion.kernel.audit.AuditSql;
import io.orchestrion.kernel.bulk.BulkOperation.Failure;
import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/// Binds and reads the statements of `bulk.sql`; decides nothing.
public final class BulkSql {
    private static final NamedSql SQL = NamedSql.beside(BulkSql.class, "bulk.sql");

    private BulkSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// An operation that somebody should look at.
    record Due(UUID accountId, UUID id) {}

    /// A row that the walk came by.
    record Seen(UUID id, boolean fits) {}

    static void lockAccount(Tx tx, UUID account) throws SQLException {
        SQL.on(tx, "lock_account").uuid("account", account).list(row -> row.getString(1));
    }

    static int running(Tx tx, UUID account) throws SQLException {
        Integer running =
                SQL.on(tx, "running").uuid("account", account).one(row -> row.getInt("running"));
        return running == null ? 0 : running;
    }

    static BulkOperation insert(Tx tx, UUID id, BulkRequest request, BulkPreview matching)
            throws SQLException {
        BulkFilter filter = request.filter();
        Principal by = request.by();
        String keyName = AuditSql.keyName(tx, by.accountId(), by.keyId());
        BulkOperation made =
                SQL.on(tx, "insert")
                        .uuid("account", request.by().accountId())
                        .uuid("id", id)
                        .text("action", request.action().word())
                        .text("profile", request.profile().name())
                        .texts("states", List.copyOf(words(filter)))
                        .text("kind", filter.kind())
                        .bigint("created_from", filter.createdFromMs())
                        .bigint("created_before", filter.createdBeforeMs())
                        .bigint("finished_before", filter.finishedBeforeMs())
                        .text("failure_part", filter.failureContains())
                        .uuids("ids", List.copyOf(filter.ids()))
                        .integer("max", request.max())
                        .text("why", request.why())
                        .uuid("key_id", by.keyId())
                        .text("key_name", keyName)
                        .uuid("reached", filter.firstId())
                        .integer("matched", matching.matched())
                        .bool("matched_all", matching.all())
                        .bigint("now", tx.nowMillis())
                        .one(BulkSql::operation);
        if (made == null) {
            throw new IllegalStateException(
                    "account " + request.by().accountId() + " does not exist");
        }
        return made;
    }

    private static List<String> words(BulkFilter filter) {
        return filter.states().stream().map(WorkState::word).sorted().toList();
    }

    static BulkPreview matching(Tx tx, BulkRequest request, long madeMs, int most)
            throws SQLException {
        BulkFilter filter = request.filter();
        UUID account = request.by().accountId();
        if (!filter.ids().isEmpty()) {
            List<UUID> fitting =
                    scan(tx, account, request.profile(), filter, filter.firstId(), madeMs, most)
                            .stream()
                            .filter(Seen::fits)
                            .map(Seen::id)
                            .toList();
            return BulkPreview.sum(List.of(new BulkPreview(fitting.size(), true, fitting)));
        }
        List<BulkPreview> states =
                bind(
                                SQL.on(tx, "matching"),
                                account,
                                request.profile(),
                                filter,
                                filter.firstId(),
                                madeMs)
                        .integer("most", most + 1)
                        .list(
                                row ->
                                        new BulkPreview(
                                                row.getInt("fitting"),
                                                row.getInt("looked_at") <= most,
                                                uuids(row.getArray("first"))));
        return BulkPreview.sum(states);
    }

    /// The next rows after a place, in the order of their ids.
    static List<Seen> scan(
            Tx tx,
            UUID account,
            Profile profile,
            BulkFilter filter,
            UUID after,
            long madeMs,
            int most)
            throws SQLException {
        boolean named = !filter.ids().isEmpty();
        Bound statement =
                bind(
                                SQL.on(tx, named ? "scan_ids" : "scan"),
                                account,
                                profile,
                                filter,
                                after,
                                madeMs)
                        .integer("most", most);
        if (named) {
            statement.uuids("ids", List.copyOf(filter.ids()));
        }
        return statement.list(
                row -> new Seen(row.getObject("id", UUID.class), row.getBoolean("fits")));
    }

    private static Bound bind(
            Bound statement,
            UUID account,
            Profile profile,
            BulkFilter filter,
            UUID after,
            long madeMs)
            throws SQLException {
        return statement
                .uuid("account", account)
                .text("queue", profile.queue())
                .text("profile", profile.name())
                .texts("states", List.copyOf(words(filter)))
                .text("kind", filter.kind())
                .bigint("created_from", filter.createdFromMs())
                .bigint("created_before", filter.createdBeforeMs())
                .bigint("finished_before", filter.finishedBeforeMs())
                .text("failure_part", filter.failureContains())
                .bigint("made", madeMs)
                .uuid("after", after)
                .uuid("last", filter.lastId(madeMs));
    }

    static @Nullable BulkOperation get(Tx tx, UUID account, UUID id) throws SQLException {
        return one(tx, "get", account, id);
    }

    /// Locks the operation. Null when it has ended, or when another node is working on it.
    static @Nullable BulkOperation lockRunning(Tx tx, Due due) throws SQLException {
        return one(tx, "lock_running", due.accountId(), due.id());
    }

    static @Nullable BulkOperation lockAny(Tx tx, UUID account, UUID id) throws SQLException {
        return one(tx, "lock_any", account, id);
    }

    private static @Nullable BulkOperation one(Tx tx, String statement, UUID account, UUID id)
            throws SQLException {
        return SQL.on(tx, statement)
                .uuid("account", account)
                .uuid("id", id)
                .one(BulkSql::operation);
    }

    static List<BulkOperation> page(Tx tx, UUID account, UUID before, int most)
            throws SQLException {
        return SQL.on(tx, "page")
                .uuid("account", account)
                .uuid("before", before)
                .integer("most", most)
                .list(BulkSql::operation);
    }

    static List<Due> due(Tx tx, int most) throws SQLException {
        return SQL.on(tx, "due")
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(
                        row ->
                                new Due(
                                        row.getObject("account_id", UUID.class),
                                        row.getObject("id", UUID.class)));
    }

    /// @param nextMs when to go on with it; null for one that has ended
    static void store(Tx tx, BulkOperation operation, @Nullable Long nextMs) throws SQLException {
        int written =
                SQL.on(tx, "store")
                        .uuid("account", operation.accountId())
                        .uuid("id", operation.id())
                        .text("state", operation.state().word())
                        .uuid("reached", operation.reached())
                        .integer("done", operation.done())
                        .integer("skipped", operation.skipped())
                        .integer("failed", operation.failed())
                        .column("failed_ids", "uuid", operation.failures(), Failure::id)
                        .column("failed_reasons", "text", operation.failures(), Failure::reason)
                        .integer("tries", operation.tries())
                        .bigint("next", nextMs)
                        .bigint("finished", operation.finishedMs())
                        .bigint("now", tx.nowMillis())
                        .update();
        if (written != 1) {
            throw new IllegalStateException("an operation changed while it was locked");
        }
    }

    static List<UUID> accountsWithOldOperations(Tx tx, long untilMs, int most) throws SQLException {
        return SQL.on(tx, "accounts_with_old_operations")
                .bigint("until", untilMs)
                .integer("most", most)
                .list(row -> row.getObject("account_id", UUID.class));
    }

    static int purge(Tx tx, UUID account, long untilMs, int most) throws SQLException {
        return SQL.on(tx, "purge")
                .uuid("account", account)
                .bigint("until", untilMs)
                .integer("most", most)
                .update();
    }

    private static BulkOperation operation(ResultSet row) throws SQLException {
        return new BulkOperation(
                row.getObject("account_id", UUID.class),
                row.getObject("id", UUID.class),
                Profiles.named(row.getString("profile")),
                BulkAction.of(row.getString("action")),
                new BulkFilter(
                        texts(row.getArray("states")).stream()
                                .map(WorkState::of)
                                .collect(Collectors.toUnmodifiableSet()),
                        row.getString("kind"),
                        Bound.nullableLong(row, "created_from_ms"),
                        Bound.nullableLong(row, "created_before_ms"),
                        Bound.nullableLong(row, "finished_before_ms"),
                        row.getString("failure_part"),
                        uuids(row.getArray("ids"))),
                row.getInt("max_items"),
                row.getString("why"),
                row.getObject("key_id", UUID.class),
                row.getString("key_name"),
                BulkState.of(row.getString("state")),
                row.getObject("reached", UUID.class),
                row.getInt("matched"),
                row.getBoolean("matched_all"),
                row.getInt("done"),
                row.getInt("skipped"),
                row.getInt("failed"),
                failures(row),
                row.getInt("tries"),
                row.getLong("created_ms"),
                Bound.nullableLong(row, "finished_ms"));
    }

    private static List<Failure> failures(ResultSet row) throws SQLException {
        List<UUID> ids = uuids(row.getArray("failed_ids"));
        List<String> reasons = texts(row.getArray("failed_reasons"));
        var failures = new ArrayList<Failure>();
        for (int i = 0; i < ids.size(); i++) {
            failures.add(new Failure(ids.get(i), reasons.get(i)));
        }
        return List.copyOf(failures);
    }

    private static List<String> texts(@Nullable Array array) throws SQLException {
        return array == null ? List.of() : Arrays.asList((String[]) array.getArray());
    }

    private static List<UUID> uuids(@Nullable Array array) throws SQLException {
        return array == null ? List.of() : Arrays.asList((UUID[]) array.getArray());
    }
}
