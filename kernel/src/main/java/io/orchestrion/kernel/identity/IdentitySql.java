package io.orchestrion.kernel.identity;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
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

    /// A key as it is stored.
    record KeyRow(Principal principal, @Nullable Long expiresMs, @Nullable Long revokedMs) {
        boolean good(long nowMs) {
            return revokedMs == null && (expiresMs == null || expiresMs > nowMs);
        }
    }

    static void insertAccount(Tx tx, UUID account, String name, String plan) throws SQLException {
        SQL.on(tx, "insert_account")
                .uuid("account", account)
                .text("name", name)
                .text("plan", plan)
                .bigint("now", tx.nowMillis())
                .update();
    }

    static void insertKey(
            Tx tx, UUID account, UUID keyId, byte[] hash, String name, Set<Scope> scopes)
            throws SQLException {
        SQL.on(tx, "insert_key")
                .uuid("account", account)
                .uuid("key_id", keyId)
                .bytes("hash", hash)
                .text("name", name)
                .texts("scopes", List.copyOf(scopes.stream().map(Scope::word).sorted().toList()))
                .bigint("now", tx.nowMillis())
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
                                                Arrays.stream(
                                                                (String[])
                                                                        row.getArray("scopes")
                                                                                .getArray())
                                                        .map(Scope::of)
                                                        .collect(Collectors.toUnmodifiableSet())),
                                        Bound.nullableLong(row, "expires_ms"),
                                        Bound.nullableLong(row, "revoked_ms")));
    }
}
