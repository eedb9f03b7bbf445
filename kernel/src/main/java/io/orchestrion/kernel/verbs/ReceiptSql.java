package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.ClaimKey;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkItem.Settled;
import io.orchestrion.kernel.work.WorkView;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// Binds and reads the statements of `receipt.sql`.
public final class ReceiptSql {
    private static final NamedSql SQL =
            NamedSql.beside(ReceiptSql.class, "receipt.sql", "item.sql");

    private ReceiptSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// The report with which a holder ended one item.
    record Said(UUID id, Settled settled) {}

    /// An item as it was left at that time.
    record Left(WorkItem item, long atMs) {}

    static void keepFailures(Tx tx, UUID account, List<Said> failures) throws SQLException {
        SQL.on(tx, "keep_failures")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .column("ids", "uuid", failures, Said::id)
                .column("tokens", "uuid", failures, said -> said.settled().token())
                .column("digests", "uuid", failures, said -> said.settled().digest())
                .update();
    }

    /// The reports among these that had been sent before, each with the item as it was left then.
    static List<Left> failures(Tx tx, UUID account, List<Said> said) throws SQLException {
        return SQL.on(tx, "failures")
                .uuid("account", account)
                .column("ids", "uuid", said, Said::id)
                .column("tokens", "uuid", said, each -> each.settled().token())
                .column("digests", "uuid", said, each -> each.settled().digest())
                .list(row -> new Left(WorkRowSql.item(row), row.getLong("answered_ms")));
    }

    /// One lease of a claim.
    ///
    /// @param view null once it is over
    record ClaimedLease(UUID claimId, UUID digest, @Nullable WorkView view) {}

    /// A lease to be kept under its claim.
    record NewLease(ClaimKey key, int place, UUID workId, UUID token) {}

    /// The ids that were free and now belong to claims of this transaction.
    static Set<UUID> takeClaims(Tx tx, UUID account, List<ClaimKey> keys) throws SQLException {
        List<ClaimKey> sorted = keys.stream().sorted(Comparator.comparing(ClaimKey::id)).toList();
        return new HashSet<>(
                SQL.on(tx, "take_claims")
                        .uuid("account", account)
                        .bigint("now", tx.nowMillis())
                        .column("claims", "uuid", sorted, ClaimKey::id)
                        .column("digests", "uuid", sorted, ClaimKey::digest)
                        .list(row -> row.getObject("claim_id", UUID.class)));
    }

    static void freeClaims(Tx tx, UUID account, List<UUID> claims) throws SQLException {
        SQL.on(tx, "free_claims")
                .uuid("account", account)
                .uuids("claims", List.copyOf(claims))
                .update();
    }

    static void keepLeases(Tx tx, UUID account, List<NewLease> leases) throws SQLException {
        SQL.on(tx, "keep_leases")
                .uuid("account", account)
                .column("claims", "uuid", leases, lease -> lease.key().id())
                .column("places", "int4", leases, NewLease::place)
                .column("ids", "uuid", leases, NewLease::workId)
                .column("tokens", "uuid", leases, NewLease::token)
                .update();
    }

    static List<ClaimedLease> leases(Tx tx, UUID account, List<UUID> claims) throws SQLException {
        return SQL.on(tx, "leases")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .uuids("claims", List.copyOf(claims))
                .list(
                        row ->
                                new ClaimedLease(
                                        row.getObject("claim_id", UUID.class),
                                        row.getObject("digest", UUID.class),
                                        row.getObject("id", UUID.class) == null
                                                ? null
                                                : WorkRowSql.view(tx, row)));
    }

    public static List<UUID> accountsWithOldClaims(Tx tx, Duration kept, int most)
            throws SQLException {
        return SQL.on(tx, "accounts_with_old_claims")
                .bigint("before", tx.nowMillis() - kept.toMillis())
                .integer("most", most)
                .list(row -> row.getObject("account_id", UUID.class));
    }

    public static int purgeClaims(Tx tx, UUID account, Duration kept, int most)
            throws SQLException {
        return SQL.on(tx, "purge_claims")
                .uuid("account", account)
                .bigint("before", tx.nowMillis() - kept.toMillis())
                .integer("most", most)
                .update();
    }
}
