package io.orchestrion.kernel.identity;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// Binds and reads the statements of `worker_token.sql`.
public final class WorkerTokenSql {
    private static final NamedSql SQL = NamedSql.beside(WorkerTokenSql.class, "worker_token.sql");

    private WorkerTokenSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// The token that a secret belongs to.
    ///
    /// @param secretEndsMs null for the secret that has not been replaced
    record Found(WorkerToken token, @Nullable Long secretEndsMs) {
        boolean good(long nowMs) {
            return token.status(nowMs) == WorkerToken.Status.ACTIVE
                    && (secretEndsMs == null || secretEndsMs > nowMs);
        }
    }

    static void insert(
            Tx tx, UUID account, UUID tokenId, NewWorkerToken wanted, @Nullable Long expiresMs)
            throws SQLException {
        Bound insert =
                SQL.on(tx, "insert_token")
                        .uuid("account", account)
                        .uuid("token_id", tokenId)
                        .text("worker", wanted.workerId())
                        .text("description", wanted.description())
                        .bigint("now", tx.nowMillis())
                        .bigint("expires", expiresMs);
        lists(insert, wanted.repositories(), wanted.kinds(), wanted.capabilities()).update();
    }

    private static Bound lists(
            Bound statement,
            @Nullable Set<String> repositories,
            @Nullable Set<String> kinds,
            @Nullable Set<String> capabilities) {
        list(statement, "repositories", repositories);
        list(statement, "kinds", kinds);
        return list(statement, "capabilities", capabilities);
    }

    private static Bound list(Bound statement, String name, @Nullable Set<String> values) {
        return values == null
                ? statement.text(name, null)
                : statement.texts(name, List.copyOf(values));
    }

    static void insertSecret(Tx tx, UUID account, UUID tokenId, byte[] hash) throws SQLException {
        SQL.on(tx, "insert_secret")
                .uuid("account", account)
                .uuid("token_id", tokenId)
                .bytes("hash", hash)
                .bigint("now", tx.nowMillis())
                .update();
    }

    /// The tokens by the hashes of their secrets. A hash that no token has is not in the answer.
    static Map<ByteBuffer, Found> find(Tx tx, List<byte[]> hashes) throws SQLException {
        var found = new HashMap<ByteBuffer, Found>();
        SQL.on(tx, "find")
                .column("hashes", "bytea", hashes, hash -> hash)
                .list(
                        row ->
                                found.put(
                                        ByteBuffer.wrap(row.getBytes("token_hash")),
                                        new Found(
                                                token(row),
                                                Bound.nullableLong(row, "secret_ends_ms"))));
        return found;
    }

    static @Nullable WorkerToken token(Tx tx, UUID account, UUID tokenId) throws SQLException {
        return SQL.on(tx, "token")
                .uuid("account", account)
                .uuid("token_id", tokenId)
                .bigint("now", tx.nowMillis())
                .one(WorkerTokenSql::token);
    }

    static List<WorkerToken> tokens(
            Tx tx, UUID account, @Nullable String workerId, UUID before, int most)
            throws SQLException {
        return SQL.on(tx, "tokens")
                .uuid("account", account)
                .text("worker", workerId)
                .uuid("before", before)
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(WorkerTokenSql::token);
    }

    private static WorkerToken token(ResultSet row) throws SQLException {
        return new WorkerToken(
                row.getObject("token_id", UUID.class),
                row.getObject("account_id", UUID.class),
                row.getString("worker_id"),
                row.getString("description"),
                texts(row, "repositories"),
                texts(row, "kinds"),
                texts(row, "capabilities"),
                Bound.nullableLong(row, "deactivated_ms") == null,
                Bound.nullableLong(row, "expires_ms"),
                Bound.nullableLong(row, "last_used_ms"),
                row.getString("last_used_from"),
                row.getLong("created_ms"),
                row.getLong("secret_ms"),
                Bound.nullableLong(row, "former_ends_ms"));
    }

    private static @Nullable Set<String> texts(ResultSet row, String column) throws SQLException {
        Array array = row.getArray(column);
        return array == null
                ? null
                : Collections.unmodifiableSet(
                        new LinkedHashSet<>(Arrays.asList((String[]) array.getArray())));
    }

    static int liveTokens(Tx tx, UUID account) throws SQLException {
        Integer tokens =
                SQL.on(tx, "live_tokens")
                        .uuid("account", account)
                        .bigint("now", tx.nowMillis())
                        .one(row -> row.getInt("tokens"));
        return tokens == null ? 0 : tokens;
    }

    static void change(Tx tx, WorkerToken to) throws SQLException {
        Bound change =
                SQL.on(tx, "change_token")
                        .uuid("account", to.account())
                        .uuid("token_id", to.id())
                        .text("description", to.description())
                        .bigint("expires", to.expiresMs());
        lists(change, to.repositories(), to.kinds(), to.capabilities()).update();
    }

    static void activate(Tx tx, UUID account, UUID tokenId, boolean active) throws SQLException {
        SQL.on(tx, "switch_token")
                .uuid("account", account)
                .uuid("token_id", tokenId)
                .bigint("deactivated", active ? null : Long.valueOf(tx.nowMillis()))
                .update();
    }

    static void endSecrets(Tx tx, UUID account, UUID tokenId, long endsMs) throws SQLException {
        SQL.on(tx, "end_secrets")
                .uuid("account", account)
                .uuid("token_id", tokenId)
                .bigint("ends", endsMs)
                .update();
    }

    static void removeEndedSecrets(Tx tx, UUID account, UUID tokenId) throws SQLException {
        SQL.on(tx, "remove_ended_secrets")
                .uuid("account", account)
                .uuid("token_id", tokenId)
                .bigint("now", tx.nowMillis())
                .update();
    }

    static int workingSecrets(Tx tx, UUID account, UUID tokenId) throws SQLException {
        Integer secrets =
                SQL.on(tx, "working_secrets")
                        .uuid("account", account)
                        .uuid("token_id", tokenId)
                        .bigint("now", tx.nowMillis())
                        .one(row -> row.getInt("secrets"));
        return secrets == null ? 0 : secrets;
    }

    static int noteUse(Tx tx, UUID account, List<WorkerTokenUse.Use> uses) throws SQLException {
        return SQL.on(tx, "note_use")
                .uuid("account", account)
                .column("tokens", "uuid", uses, WorkerTokenUse.Use::id)
                .column("times", "int8", uses, WorkerTokenUse.Use::atMs)
                .column("addresses", "text", uses, WorkerTokenUse.Use::from)
                .bigint("pause", UseNotes.PAUSE_MS)
                .update();
    }

    static List<UUID> accountsWithOldTokens(Tx tx, Duration kept, int most) throws SQLException {
        return SQL.on(tx, "accounts_with_old_tokens")
                .bigint("ended", tx.nowMillis() - kept.toMillis())
                .integer("most", most)
                .list(row -> row.getObject("account_id", UUID.class));
    }

    static int purge(Tx tx, UUID account, Duration kept, int most) throws SQLException {
        long ended = tx.nowMillis() - kept.toMillis();
        List<UUID> old =
                SQL.on(tx, "old_tokens")
                        .uuid("account", account)
                        .bigint("ended", ended)
                        .integer("most", most)
                        .list(row -> row.getObject("token_id", UUID.class));
        return SQL.on(tx, "purge_tokens")
                .uuid("account", account)
                .uuids("ids", List.copyOf(old))
                .bigint("ended", ended)
                .update();
    }
}
