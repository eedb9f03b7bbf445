package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.policy.Policy;
import io.orchestrion.kernel.policy.Requirements;
import io.orchestrion.kernel.verbs.ClaimSql.Grant;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkView;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// Binds and reads the statements of `policy.sql`, and the claim by policy of `work.sql`.
public final class PolicySql {
    private static final NamedSql SQL = NamedSql.beside(PolicySql.class, "policy.sql", "item.sql");

    /// Separates the capabilities of one item in a text; no capability contains it.
    private static final String BETWEEN = "\u001f";

    private PolicySql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// An item with what it asks of its worker.
    record Asking(WorkView view, Requirements requirements) {}

    /// A sign of life for one item.
    record Beat(UUID id, Command.Heartbeat said) {}

    /// The outcome of one look of a claim.
    ///
    /// @param seen how many items it considered
    record Looked(List<WorkView> taken, int seen) {}

    static void insertWork(Tx tx, UUID account, List<Asking> asking) {
        List<WorkView> views = asking.stream().map(Asking::view).toList();
        WorkSql.bindItems(SQL.on(tx, "insert_work"), tx, account, views)
                .column("repositories", "text", asking, one -> one.requirements().repository())
                .column("repository_owners", "text", asking, PolicySql::owner)
                .column(
                        "capabilities",
                        "text",
                        asking,
                        one -> String.join(BETWEEN, one.requirements().capabilities()))
                .laterAllOrNone(views.size(), "account " + account + " does not exist");
    }

    private static @Nullable String owner(Asking asking) {
        return Requirements.ownerOf(asking.requirements().repository());
    }

    /// The best items that the policy allows, one for each grant at the most.
    ///
    /// @param most how many are considered
    static Looked claim(
            Tx tx, UUID account, String queue, Policy policy, List<Grant> grants, int most)
            throws SQLException {
        var scopes = new ArrayList<Scope>();
        if (policy.repositories() == null) {
            scopes.add(new Scope("any", ""));
        }
        Requirements.sorted(policy.owners()).forEach(name -> scopes.add(new Scope("owner", name)));
        Requirements.sorted(policy.exactRepositories())
                .forEach(name -> scopes.add(new Scope("repository", name)));
        var taken = new ArrayList<WorkView>();
        Bound statement =
                ClaimSql.bindLeased(WorkSql.statements().on(tx, "claim_fitting"), tx, account)
                        .text("queue", queue)
                        .column("scopes", "text", scopes, Scope::kind)
                        .column("places", "text", scopes, Scope::place)
                        .bool("any_kind", policy.kinds() == null)
                        .texts("kinds", sorted(policy.kinds()))
                        .bool("any_capability", policy.capabilities() == null)
                        .texts("capabilities", sorted(policy.capabilities()))
                        .integer("groups", GROUPS_AT_MOST)
                        .integer("most", most)
                        .integer("count", grants.size())
                        .column("grant_tokens", "uuid", grants, Grant::token)
                        .column("grant_holders", "text", grants, Grant::holder)
                        .column("grant_lease_seconds", "int4", grants, Grant::leaseSeconds);
        List<Integer> seen =
                statement.list(
                        row -> {
                            if (row.getObject("id") != null) {
                                taken.add(WorkRowSql.view(tx, row));
                            }
                            return row.getInt("seen");
                        });
        return new Looked(taken, seen.isEmpty() ? 0 : seen.getFirst());
    }

    /// A worker's policy may fit many groups of items. At most so many are considered.
    static final int GROUPS_AT_MOST = 5000;

    private record Scope(String kind, String place) {}

    private static List<@Nullable String> sorted(@Nullable Set<String> texts) {
        return texts == null ? List.of() : List.copyOf(Requirements.sorted(texts));
    }

    static List<UUID> lapsed(Tx tx, UUID account, String queue, int most) throws SQLException {
        return SQL.on(tx, "lapsed")
                .uuid("account", account)
                .text("queue", queue)
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(row -> row.getObject(1, UUID.class));
    }

    static List<String> kindsDue(Tx tx, UUID account, String queue, int most) throws SQLException {
        return SQL.on(tx, "kinds_due")
                .uuid("account", account)
                .text("queue", queue)
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(row -> row.getString(1));
    }

    /// Renews the leases of holders whose token, number or name fits.
    static List<WorkItem> heartbeat(Tx tx, UUID account, String queue, List<Beat> beats)
            throws SQLException {
        return SQL.on(tx, "heartbeat")
                .uuid("account", account)
                .text("queue", queue)
                .bigint("now", tx.nowMillis())
                .integer("many", beats.size())
                .column("ids", "uuid", beats, Beat::id)
                .column("tokens", "uuid", beats, beat -> beat.said().fence().token())
                .column("numbers", "int8", beats, beat -> beat.said().fence().number())
                .column("holders", "text", beats, beat -> beat.said().fence().holder())
                .column("lease_seconds", "int4", beats, beat -> beat.said().leaseSeconds())
                .list(WorkRowSql::item);
    }
}
