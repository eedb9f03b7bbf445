package io.orchestrion.kernel.idempotency;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.idempotency.Idempotency.Claim;
import io.orchestrion.kernel.idempotency.Idempotency.Restated;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// Binds and reads the statements of `idempotency.sql`.
public final class IdempotencySql {
    private static final NamedSql SQL = NamedSql.beside(IdempotencySql.class, "idempotency.sql");

    private IdempotencySql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// A key's row.
    record Slot(
            String surface,
            UUID scope,
            String action,
            String key,
            byte[] requestHash,
            @Nullable StoredAnswer answer,
            long lockedUntilMs,
            long expiresMs) {

        boolean names(IdempotencyKey wanted) {
            return surface.equals(wanted.surface())
                    && scope.equals(wanted.scope())
                    && action.equals(wanted.action())
                    && key.equals(wanted.key());
        }
    }

    static List<Slot> find(Tx tx, UUID account, List<IdempotencyKey> keys) throws SQLException {
        return SQL.on(tx, "find")
                .uuid("account", account)
                .column("surfaces", "text", keys, IdempotencyKey::surface)
                .column("scopes", "uuid", keys, IdempotencyKey::scope)
                .column("actions", "text", keys, IdempotencyKey::action)
                .column("keys", "text", keys, IdempotencyKey::key)
                .list(
                        row -> {
                            String answer = row.getString("answer");
                            return new Slot(
                                    row.getString("surface"),
                                    row.getObject("scope", UUID.class),
                                    row.getString("action"),
                                    row.getString("key"),
                                    row.getBytes("request_hash"),
                                    answer == null
                                            ? null
                                            : new StoredAnswer(row.getInt("status"), answer),
                                    row.getLong("locked_until_ms"),
                                    row.getLong("expires_ms"));
                        });
    }

    /// Takes the free, expired and abandoned ones; returns the work ids of those it got.
    static Set<UUID> take(Tx tx, UUID account, List<Claim> claims) throws SQLException {
        if (claims.isEmpty()) {
            return Set.of();
        }
        // Sorted, so that all writers lock in the same order and two batches never wait for each
        // other.
        List<Claim> sorted =
                claims.stream()
                        .sorted(
                                Comparator.comparing((Claim claim) -> claim.key().scope())
                                        .thenComparing(claim -> claim.key().key()))
                        .toList();
        long now = tx.nowMillis();
        return new HashSet<>(
                SQL.on(tx, "take")
                        .uuid("account", account)
                        .bigint("now", now)
                        .column("surfaces", "text", sorted, claim -> claim.key().surface())
                        .column("scopes", "uuid", sorted, claim -> claim.key().scope())
                        .column("actions", "text", sorted, claim -> claim.key().action())
                        .column("keys", "text", sorted, claim -> claim.key().key())
                        .column("hashes", "bytea", sorted, claim -> claim.key().requestHash())
                        .column("work_ids", "uuid", sorted, Claim::workId)
                        .column("statuses", "int4", sorted, claim -> claim.answer().status())
                        .column("answers", "text", sorted, claim -> claim.answer().body())
                        .column(
                                "expiries",
                                "int8",
                                sorted,
                                claim -> now + claim.key().life().toMillis())
                        .column(
                                "locked_untils",
                                "int8",
                                sorted,
                                claim -> now + claim.key().staleAfter().toMillis())
                        .list(row -> row.getObject("work_id", UUID.class)));
    }

    static void release(Tx tx, UUID account, List<UUID> workIds) throws SQLException {
        SQL.on(tx, "release")
                .uuid("account", account)
                .column("work_ids", "uuid", workIds, id -> id)
                .update();
    }

    static void restate(Tx tx, UUID account, List<Restated> answers) throws SQLException {
        SQL.on(tx, "restate")
                .uuid("account", account)
                .column("drafts", "uuid", answers, Restated::draft)
                .column("work_ids", "uuid", answers, Restated::workId)
                .column("statuses", "int4", answers, each -> each.answer().status())
                .column("answers", "text", answers, each -> each.answer().body())
                .update();
    }

    static List<UUID> accountsWithExpired(Tx tx, int most) throws SQLException {
        return SQL.on(tx, "accounts_with_expired")
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(row -> row.getObject(1, UUID.class));
    }

    static int purgeExpired(Tx tx, UUID account, int most) throws SQLException {
        return SQL.on(tx, "purge_expired")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .update();
    }
}
