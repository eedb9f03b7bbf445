package io.orchestrion.kernel.identity;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/// Binds and reads the statements of `identity.sql`.
public final class IdentitySql {
    private static final NamedSql SQL = NamedSql.beside(IdentitySql.class, "identity.sql");

    private IdentitySql() {}

    public static NamedSql statements() {
        return SQL;
    }

    private static KeyView.Status status(
            @Nullable Long expiresMs, @Nullable Long revokedMs, long nowMs) {
        if (revokedMs != null) {
            return KeyView.Status.REVOKED;
        }
        return expiresMs == null || expiresMs > nowMs
                ? KeyView.Status.LIVE
                : KeyView.Status.EXPIRED;
    }

    /// The row that a secret belongs to.
    record KeyRow(
            Principal principal,
            @Nullable Long expiresMs,
            @Nullable Long revokedMs,
            @Nullable Long lastUsedMs) {
        KeyView.Status status(long nowMs) {
            return IdentitySql.status(expiresMs, revokedMs, nowMs);
        }
    }

    /// A key of a known account.
    record StoredKey(
            UUID keyId,
            byte[] hash,
            String name,
            Set<Scope> scopes,
            long createdMs,
            @Nullable Long expiresMs,
            @Nullable Long revokedMs,
            @Nullable Long lastUsedMs) {
        KeyView.Status status(long nowMs) {
            return IdentitySql.status(expiresMs, revokedMs, nowMs);
        }

        KeyView seenAt(long nowMs) {
            return new KeyView(
                    keyId,
                    name,
                    scopes,
                    createdMs,
                    expiresMs,
                    revokedMs,
                    lastUsedMs,
                    status(nowMs));
        }
    }

    /// @param admins how many of the keys may manage keys
    record LiveKeys(int keys, int admins) {}

    static void insertAccount(Tx tx, UUID account, String name, String plan) throws SQLException {
        SQL.on(tx, "insert_account")
                .uuid("account", account)
                .text("name", name)
                .text("plan", plan)
                .bigint("now", tx.nowMillis())
                .update();
    }

    /// False when there is no such account.
    static boolean lockAccount(Tx tx, UUID account) throws SQLException {
        return !SQL.on(tx, "lock_account")
                .uuid("account", account)
                .list(row -> row.getObject("account_id", UUID.class))
                .isEmpty();
    }

    static void insertClient(Tx tx, UUID account) throws SQLException {
        SQL.on(tx, "insert_client").uuid("account", account).bigint("now", tx.nowMillis()).update();
    }

    /// When the client was made; null for an account that came with its first key.
    static @Nullable Long clientSince(Tx tx, UUID account) throws SQLException {
        return SQL.on(tx, "client").uuid("account", account).one(row -> row.getLong("created_ms"));
    }

    /// False when its secret is another one by now, or it was revoked.
    static boolean renew(
            Tx tx, UUID account, UUID keyId, byte[] old, byte[] hash, @Nullable Long expiresMs)
            throws SQLException {
        return SQL.on(tx, "renew_key")
                        .uuid("account", account)
                        .uuid("key_id", keyId)
                        .bytes("old", old)
                        .bytes("hash", hash)
                        .bigint("expires", expiresMs)
                        .update()
                == 1;
    }

    static boolean accountExists(Tx tx, UUID account) throws SQLException {
        return SQL.on(tx, "account")
                        .uuid("account", account)
                        .one(row -> row.getObject("account_id", UUID.class))
                != null;
    }

    static void insertKey(
            Tx tx,
            UUID account,
            UUID keyId,
            byte[] hash,
            String name,
            Set<Scope> scopes,
            @Nullable Long expiresMs)
            throws SQLException {
        SQL.on(tx, "insert_key")
                .uuid("account", account)
                .uuid("key_id", keyId)
                .bytes("hash", hash)
                .text("name", name)
                .texts("scopes", List.copyOf(scopes.stream().map(Scope::word).sorted().toList()))
                .bigint("now", tx.nowMillis())
                .bigint("expires", expiresMs)
                .update();
    }

    static @Nullable KeyRow find(Tx tx, byte[] hash) throws SQLException {
        return SQL.on(tx, "find_key")
                .bytes("hash", hash)
                .one(
                        row ->
                                new KeyRow(
                                        new Principal(
                                                row.getObject("account_id", UUID.class),
                                                row.getObject("key_id", UUID.class),
                                                scopes(row)),
                                        Bound.nullableLong(row, "expires_ms"),
                                        Bound.nullableLong(row, "revoked_ms"),
                                        Bound.nullableLong(row, "last_used_ms")));
    }

    private static Set<Scope> scopes(ResultSet row) throws SQLException {
        return Arrays.stream((String[]) row.getArray("scopes").getArray())
                .map(Scope::of)
                .collect(Collectors.toUnmodifiableSet());
    }

    static @Nullable StoredKey key(Tx tx, UUID account, UUID keyId) throws SQLException {
        return SQL.on(tx, "key")
                .uuid("account", account)
                .uuid("key_id", keyId)
                .one(IdentitySql::storedKey);
    }

    static List<StoredKey> keys(Tx tx, UUID account, UUID before, int most) throws SQLException {
        return SQL.on(tx, "keys")
                .uuid("account", account)
                .uuid("before", before)
                .integer("most", most)
                .list(IdentitySql::storedKey);
    }

    private static StoredKey storedKey(ResultSet row) throws SQLException {
        return new StoredKey(
                row.getObject("key_id", UUID.class),
                row.getBytes("key_hash"),
                row.getString("name"),
                scopes(row),
                row.getLong("created_ms"),
                Bound.nullableLong(row, "expires_ms"),
                Bound.nullableLong(row, "revoked_ms"),
                Bound.nullableLong(row, "last_used_ms"));
    }

    static LiveKeys liveKeys(Tx tx, UUID account) throws SQLException {
        LiveKeys live =
                SQL.on(tx, "live_keys")
                        .uuid("account", account)
                        .bigint("now", tx.nowMillis())
                        .one(row -> new LiveKeys(row.getInt("keys"), row.getInt("admins")));
        return live == null ? new LiveKeys(0, 0) : live;
    }

    static void rename(Tx tx, UUID account, UUID keyId, String name) throws SQLException {
        SQL.on(tx, "rename_key")
                .uuid("account", account)
                .uuid("key_id", keyId)
                .text("name", name)
                .update();
    }

    /// False when it had been revoked before.
    static boolean revoke(Tx tx, UUID account, UUID keyId) throws SQLException {
        return SQL.on(tx, "revoke_key")
                        .uuid("account", account)
                        .uuid("key_id", keyId)
                        .bigint("now", tx.nowMillis())
                        .update()
                == 1;
    }

    static int noteUse(Tx tx, UUID account, List<KeyUse.Use> uses) throws SQLException {
        return SQL.on(tx, "note_use")
                .uuid("account", account)
                .column("keys", "uuid", uses, KeyUse.Use::keyId)
                .column("times", "int8", uses, KeyUse.Use::atMs)
                .bigint("pause", UseNotes.PAUSE_MS)
                .update();
    }

    static List<UUID> accountsWithOldKeys(Tx tx, Duration kept, int most) throws SQLException {
        return SQL.on(tx, "accounts_with_old_keys")
                .bigint("ended", tx.nowMillis() - kept.toMillis())
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(row -> row.getObject("account_id", UUID.class));
    }

    static int purge(Tx tx, UUID account, Duration kept, int most) throws SQLException {
        long ended = tx.nowMillis() - kept.toMillis();
        List<UUID> old =
                SQL.on(tx, "old_keys")
                        .uuid("account", account)
                        .bigint("ended", ended)
                        .bigint("now", tx.nowMillis())
                        .integer("most", most)
                        .list(row -> row.getObject("key_id", UUID.class));
        return SQL.on(tx, "purge_keys")
                .uuid("account", account)
                .uuids("ids", List.copyOf(old))
                .bigint("ended", ended)
                .update();
    }
}
