package io.orchestrion.server.webhooks;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `endpoint.sql`.
public final class EndpointSql {
    private static final NamedSql SQL = NamedSql.beside(EndpointSql.class, "endpoint.sql");

    private EndpointSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// A receiver to be made.
    record New(
            UUID id,
            boolean callback,
            String url,
            List<String> events,
            byte[] once,
            String description,
            long fromPosition) {}

    /// A secret as it is kept.
    record Kept(UUID id, byte[] sealed, @Nullable Long endsMs) {}

    /// Which receiver.
    record Ref(UUID accountId, UUID id) {}

    /// False when there is one like it.
    static boolean insert(Tx tx, UUID account, New made) throws SQLException {
        return SQL.on(tx, "insert")
                        .uuid("account", account)
                        .uuid("id", made.id())
                        .text("kind", made.callback() ? "callback" : "webhook")
                        .text("url", made.url())
                        .texts("events", List.copyOf(made.events()))
                        .bytes("once", made.once())
                        .text("description", made.description())
                        .bigint("from_position", made.fromPosition())
                        .bigint("now", tx.nowMillis())
                        .update()
                == 1;
    }

    static long countWebhooks(Tx tx, UUID account) throws SQLException {
        Long count =
                SQL.on(tx, "count_webhooks").uuid("account", account).one(row -> row.getLong(1));
        return count == null ? 0 : count;
    }

    static @Nullable UUID callbackOf(Tx tx, UUID account, byte[] once) throws SQLException {
        return SQL.on(tx, "callback_of")
                .uuid("account", account)
                .bytes("once", once)
                .one(row -> row.getObject(1, UUID.class));
    }

    static List<Receiver> listening(Tx tx, UUID account) throws SQLException {
        return SQL.on(tx, "listening").uuid("account", account).list(EndpointSql::receiver);
    }

    static @Nullable Receiver get(Tx tx, UUID account, UUID id) throws SQLException {
        return one(tx, "get", account, id);
    }

    static @Nullable Receiver lock(Tx tx, UUID account, UUID id) throws SQLException {
        return one(tx, "lock", account, id);
    }

    static @Nullable Receiver lockUnlessBusy(Tx tx, UUID account, UUID id) throws SQLException {
        return one(tx, "lock_unless_busy", account, id);
    }

    private static @Nullable Receiver one(Tx tx, String statement, UUID account, UUID id)
            throws SQLException {
        return SQL.on(tx, statement)
                .uuid("account", account)
                .uuid("id", id)
                .one(EndpointSql::receiver);
    }

    static boolean existsAnywhere(Tx tx, UUID id) throws SQLException {
        return !SQL.on(tx, "exists_anywhere")
                .uuid("id", id)
                .list(row -> row.getObject(1, UUID.class))
                .isEmpty();
    }

    static List<Receiver> list(Tx tx, UUID account, @Nullable UUID before, int most)
            throws SQLException {
        return SQL.on(tx, "list")
                .uuid("account", account)
                .uuid("before", before)
                .integer("most", most)
                .list(EndpointSql::receiver);
    }

    /// False when another like it is there.
    static boolean change(Tx tx, Receiver to, byte[] once, @Nullable Long nextMs)
            throws SQLException {
        return SQL.on(tx, "change")
                        .uuid("account", to.accountId())
                        .uuid("id", to.id())
                        .texts("events", List.copyOf(to.events()))
                        .bytes("once", once)
                        .text("description", to.description())
                        .text("state", to.state().word())
                        .text("reason", to.reason())
                        .bigint("now", tx.nowMillis())
                        .integer("failures", to.failures())
                        .bigint("failing_since", to.failingSinceMs())
                        .integer("opened", to.opened())
                        .bigint("open_until", to.openUntilMs())
                        .bigint("next", nextMs)
                        .update()
                == 1;
    }

    static void delete(Tx tx, UUID account, UUID id) throws SQLException {
        SQL.on(tx, "delete")
                .uuid("account", account)
                .uuid("id", id)
                .bigint("now", tx.nowMillis())
                .update();
        SQL.on(tx, "delete_secrets").uuid("account", account).uuid("id", id).update();
    }

    static void insertSecret(Tx tx, UUID account, UUID id, UUID secretId, byte[] sealed)
            throws SQLException {
        SQL.on(tx, "insert_secret")
                .uuid("account", account)
                .uuid("id", id)
                .uuid("secret_id", secretId)
                .bytes("sealed", sealed)
                .bigint("now", tx.nowMillis())
                .update();
    }

    /// Lets those that work now work no longer than that.
    static void endSecrets(Tx tx, UUID account, UUID id, long endsMs) throws SQLException {
        SQL.on(tx, "end_secrets")
                .uuid("account", account)
                .uuid("id", id)
                .bigint("ends", endsMs)
                .update();
        SQL.on(tx, "delete_ended_secrets")
                .uuid("account", account)
                .uuid("id", id)
                .bigint("now", tx.nowMillis())
                .update();
    }

    static List<Kept> secrets(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "secrets")
                .uuid("account", account)
                .uuid("id", id)
                .bigint("now", tx.nowMillis())
                .list(
                        row ->
                                new Kept(
                                        row.getObject("secret_id", UUID.class),
                                        row.getBytes("sealed"),
                                        Bound.nullableLong(row, "ends_ms")));
    }

    /// The last of so many places; null when the receiver is gone.
    static @Nullable Long moreToDeliver(Tx tx, UUID account, UUID id, int count)
            throws SQLException {
        return SQL.on(tx, "more_to_deliver")
                .uuid("account", account)
                .uuid("id", id)
                .integer("count", count)
                .bigint("now", tx.nowMillis())
                .one(row -> row.getLong("last_place"));
    }

    static boolean anyActive(Tx tx) throws SQLException {
        return !SQL.on(tx, "any_active")
                .integer("most", 1)
                .list(row -> row.getString("endpoint_id"))
                .isEmpty();
    }

    /// @param without accounts that are passed over
    static List<Ref> due(Tx tx, Collection<UUID> without, int most) throws SQLException {
        return SQL.on(tx, "due")
                .bigint("now", tx.nowMillis())
                .uuids("without", List.copyOf(without))
                .integer("most", most)
                .list(
                        row ->
                                new Ref(
                                        row.getObject("account_id", UUID.class),
                                        row.getObject("endpoint_id", UUID.class)));
    }

    static void lookAt(Tx tx, UUID account, UUID id, @Nullable Long nextMs) throws SQLException {
        SQL.on(tx, "look_at")
                .uuid("account", account)
                .uuid("id", id)
                .bigint("next", nextMs)
                .update();
    }

    static void judged(Tx tx, Receiver receiver, Verdict verdict) throws SQLException {
        SQL.on(tx, "judged")
                .uuid("account", receiver.accountId())
                .uuid("id", receiver.id())
                .integer("failures", verdict.failures())
                .bigint("failing_since", verdict.failingSinceMs())
                .integer("opened", verdict.opened())
                .bigint("open_until", verdict.openUntilMs())
                .bigint("last_success", verdict.lastSuccessMs())
                .text("last_failure", verdict.lastFailure())
                .text("state", verdict.state().word())
                .text("reason", verdict.reason())
                .bigint("next", tx.nowMillis())
                .bigint("now", tx.nowMillis())
                .update();
    }

    static List<UUID> accountsToPurge(Tx tx, long beforeMs, int most) throws SQLException {
        return SQL.on(tx, "accounts_to_purge")
                .bigint("before", beforeMs)
                .integer("most", most)
                .list(row -> row.getObject(1, UUID.class));
    }

    static int purge(Tx tx, UUID account, long beforeMs) throws SQLException {
        return SQL.on(tx, "purge").uuid("account", account).bigint("before", beforeMs).update();
    }

    private static Receiver receiver(ResultSet row) throws SQLException {
        Array events = row.getArray("events");
        return new Receiver(
                row.getObject("account_id", UUID.class),
                row.getObject("endpoint_id", UUID.class),
                row.getString("kind").equals("callback"),
                row.getString("url"),
                List.of((String[]) events.getArray()),
                row.getString("description"),
                Receiver.State.of(row.getString("state")),
                row.getString("reason"),
                row.getLong("from_position"),
                row.getLong("created_ms"),
                row.getLong("updated_ms"),
                row.getInt("failures"),
                Bound.nullableLong(row, "failing_since_ms"),
                row.getInt("opened"),
                Bound.nullableLong(row, "open_until_ms"),
                Bound.nullableLong(row, "last_success_ms"),
                row.getString("last_failure"));
    }
}
