package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.history.EventRow;
import io.orchestrion.kernel.policy.Policy;
import io.orchestrion.kernel.verbs.ClaimSql.Grant;
import io.orchestrion.kernel.verbs.PolicySql.Looked;
import io.orchestrion.kernel.work.Claimed;
import io.orchestrion.kernel.work.PolicyClaim;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.kernel.work.WorkView;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/// Serves several workers of one account and queue. Each gets the best items that its policy
/// allows. Workers with the same policy are served by one statement. Before that, due items are
/// made ready and expired leases are ended, so that neither waits for a sweeper.
final class PolicyRound {
    /// How many due items one claim makes ready before it takes the best of them.
    private static final int PROMOTED_AT_MOST = 1000;

    /// How many kinds of due items, and how many expired leases, it looks at.
    private static final int KINDS_AT_MOST = 1000;
    private static final int EXPIRED_AT_MOST = 100;

    /// How many items a look considers beyond those wanted, because other claims may hold some.
    /// Each further look considers eight times as many.
    private static final int MORE_AT_FIRST = 8;
    private static final int LOOKS = 5;

    private final WorkVerbs verbs;
    private final Tx tx;
    private final UUID account;
    private final String queue;
    private final List<PolicyClaim> claims;

    PolicyRound(WorkVerbs verbs, Tx tx, UUID account, String queue, List<PolicyClaim> claims) {
        this.verbs = verbs;
        this.tx = tx;
        this.account = account;
        this.queue = queue;
        this.claims = claims;
    }

    List<Claimed> run() throws SQLException {
        var groups = new LinkedHashMap<Policy, List<Integer>>();
        for (int i = 0; i < claims.size(); i++) {
            groups.computeIfAbsent(claims.get(i).policy(), _ -> new ArrayList<>()).add(i);
        }
        groups.keySet().removeIf(Policy::allowsNothing);
        var views = new ArrayList<WorkView>();
        var grants = new HashMap<Integer, List<Grant>>();
        if (!groups.isEmpty()) {
            seeToTime(groups.keySet());
        }
        for (var group : groups.entrySet()) {
            var wanted = new ArrayList<Grant>();
            for (int place : group.getValue()) {
                List<Grant> mine = grantsFor(claims.get(place));
                grants.put(place, mine);
                wanted.addAll(mine);
            }
            views.addAll(take(group.getKey(), wanted));
        }
        List<WorkItem> items = views.stream().map(WorkView::item).toList();
        Map<UUID, WorkView> byToken = ClaimRound.byToken(tx, account, views);
        verbs.tell(
                tx,
                account,
                items.stream()
                        .map(item -> EventRow.of(item, WorkEvent.LEASE, WorkState.READY))
                        .toList());
        verbs.started(tx, account, items);
        var answers = new ArrayList<Claimed>();
        for (int i = 0; i < claims.size(); i++) {
            List<WorkView> mine =
                    grants.getOrDefault(i, List.of()).stream()
                            .map(grant -> byToken.get(grant.token()))
                            .filter(Objects::nonNull)
                            .toList();
            answers.add(Claimed.of(mine, tx.nowMillis()));
        }
        return answers;
    }

    private void seeToTime(Set<Policy> policies) throws SQLException {
        List<UUID> lapsed = PolicySql.lapsed(tx, account, queue, EXPIRED_AT_MOST);
        if (!lapsed.isEmpty()) {
            verbs.expire(tx, account, lapsed);
        }
        List<String> due =
                PolicySql.kindsDue(tx, account, queue, KINDS_AT_MOST).stream()
                        .filter(kind -> policies.stream().anyMatch(each -> each.allowsKind(kind)))
                        .toList();
        if (!due.isEmpty()) {
            verbs.promote(tx, account, queue, due, PROMOTED_AT_MOST);
        }
    }

    private List<Grant> grantsFor(PolicyClaim claim) {
        var grants = new ArrayList<Grant>();
        for (int i = 0; i < claim.count(); i++) {
            grants.add(new Grant("", verbs.ids().token(), claim.holder(), claim.leaseSeconds()));
        }
        return grants;
    }

    /// Looks again, and further, only while other claims hold all items that a look has seen.
    private List<WorkView> take(Policy policy, List<Grant> wanted) throws SQLException {
        var items = new ArrayList<WorkView>();
        List<Grant> open = wanted;
        int more = MORE_AT_FIRST;
        for (int look = 0; look < LOOKS && !open.isEmpty(); look++) {
            int most = open.size() + more;
            Looked looked = PolicySql.claim(tx, account, queue, policy, open, most);
            items.addAll(looked.taken());
            if (looked.seen() < most) {
                break;
            }
            Set<UUID> used =
                    looked.taken().stream()
                            .map(view -> view.item().lease().token())
                            .filter(Objects::nonNull)
                            .collect(Collectors.toSet());
            open = open.stream().filter(grant -> !used.contains(grant.token())).toList();
            more *= 8;
        }
        return items;
    }
}
