package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.verbs.ClaimMarks.Mark;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkView;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Binds and reads those statements of `work.sql` that claim items; decides nothing.
final class ClaimSql {
    private static final NamedSql SQL = WorkSql.statements();

    private static final List<String> LEASED_FIRST =
            Profiles.ALL.stream()
                    .filter(profile -> !profile.claims().startWork())
                    .map(Profile::name)
                    .toList();

    private ClaimSql() {}

    /// One item wanted by one claimer.
    record Grant(
            String kind, UUID token, @Nullable String holder, @Nullable Integer leaseSeconds) {}

    /// @param mark its place among the ready items
    record Taken(WorkView view, @Nullable Mark mark) {}

    /// Claims the first items of each kind, as many as are counted.
    ///
    /// @param grants kind by kind, in the order of the counts
    static List<Taken> claim(
            Tx tx, UUID account, String queue, Map<String, Integer> counts, List<Grant> grants)
            throws SQLException {
        return taken(
                tx,
                counts.size() == 1
                        ? claimingOne(tx, account, queue, counts, grants)
                        : claiming(tx, "claim", account, queue, counts, grants));
    }

    private static Bound claimingOne(
            Tx tx, UUID account, String queue, Map<String, Integer> counts, List<Grant> grants) {
        Map.Entry<String, Integer> one = counts.entrySet().iterator().next();
        return granting(tx, "claim_one", account, queue, grants)
                .text("kind", one.getKey())
                .integer("count", one.getValue());
    }

    /// The same, beginning at a mark for each of the kinds.
    static List<Taken> claimFrom(
            Tx tx,
            UUID account,
            String queue,
            Map<String, Integer> counts,
            List<Grant> grants,
            Map<String, Mark> marks)
            throws SQLException {
        List<Mark> from = counts.keySet().stream().map(marks::get).toList();
        return taken(
                tx,
                claiming(tx, "claim_from", account, queue, counts, grants)
                        .column("mark_ranks", "int8", from, Mark::rank)
                        .column("mark_orders", "int8", from, Mark::orderMs)
                        .column("mark_ids", "uuid", from, Mark::id));
    }

    private static Bound claiming(
            Tx tx,
            String statement,
            UUID account,
            String queue,
            Map<String, Integer> counts,
            List<Grant> grants) {
        List<String> kinds = List.copyOf(counts.keySet());
        var firsts = new HashMap<String, Integer>();
        int first = 0;
        for (String kind : kinds) {
            firsts.put(kind, first);
            first += counts.getOrDefault(kind, 0);
        }
        return granting(tx, statement, account, queue, grants)
                .texts("kinds", List.copyOf(kinds))
                .column("counts", "int4", kinds, counts::get)
                .column("firsts", "int4", kinds, firsts::get)
                .integer("many", kinds.size());
    }

    private static Bound granting(
            Tx tx, String statement, UUID account, String queue, List<Grant> grants) {
        return bindLeased(SQL.on(tx, statement), tx, account)
                .text("queue", queue)
                .column("grant_tokens", "uuid", grants, Grant::token)
                .column("grant_holders", "text", grants, Grant::holder)
                .column("grant_lease_seconds", "int4", grants, Grant::leaseSeconds);
    }

    /// Binds what every statement that leases needs.
    static Bound bindLeased(Bound claim, Tx tx, UUID account) {
        return claim.uuid("account", account)
                .bigint("now", tx.nowMillis())
                .bigint("tx", tx.id())
                .texts("leased_first", List.copyOf(LEASED_FIRST));
    }

    private static List<Taken> taken(Tx tx, Bound claim) throws SQLException {
        return claim.list(
                row -> {
                    WorkView view = WorkRowSql.view(tx, row);
                    return new Taken(
                            view,
                            Mark.of(
                                    row.getLong("rank"),
                                    row.getLong("order_ms"),
                                    view.item().id()));
                });
    }

    /// Leases these items of one kind, one for each grant.
    static List<WorkView> take(
            Tx tx, UUID account, String queue, String lastKey, List<UUID> ids, List<Grant> grants)
            throws SQLException {
        return SQL.on(tx, "take")
                .uuid("account", account)
                .text("queue", queue)
                .text("kind", grants.getFirst().kind())
                .text("last_key", lastKey)
                .bigint("now", tx.nowMillis())
                .bigint("tx", tx.id())
                .uuids("ids", List.copyOf(ids))
                .column("tokens", "uuid", grants, Grant::token)
                .column("holders", "text", grants, Grant::holder)
                .column("lease_seconds", "int4", grants, Grant::leaseSeconds)
                .texts("leased_first", List.copyOf(LEASED_FIRST))
                .list(row -> WorkRowSql.view(tx, row));
    }
}
