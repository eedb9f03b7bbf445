package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.Profile.LeaseSource;
import io.orchestrion.kernel.work.WorkSql.EventRow;
import io.orchestrion.kernel.work.WorkSql.Grant;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Several claimers of one account and queue served by one statement: the first to ask gets the
/// best of its kind.
final class ClaimRound {
    /// How many due items one claim makes ready before it takes the best of them.
    private static final int PROMOTED_AT_MOST = 1000;

    private final WorkVerbs verbs;
    private final Tx tx;
    private final UUID account;
    private final String queue;
    private final List<ClaimRequest> requests;

    ClaimRound(WorkVerbs verbs, Tx tx, UUID account, String queue, List<ClaimRequest> requests) {
        this.verbs = verbs;
        this.tx = tx;
        this.account = account;
        this.queue = queue;
        this.requests = requests;
    }

    List<Claimed> run() throws SQLException {
        var counts = new LinkedHashMap<String, Integer>();
        var grants = new ArrayList<Grant>();
        var grantsOf = new ArrayList<List<Grant>>();
        for (ClaimRequest request : requests) {
            var mine = new ArrayList<Grant>();
            for (int i = 0; i < request.count(); i++) {
                int place = counts.merge(request.kind(), 1, Integer::sum);
                mine.add(
                        new Grant(
                                request.kind(),
                                place,
                                verbs.ids().token(),
                                request.holder(),
                                claimerSaysHowLong(queue) ? request.leaseSeconds() : null));
            }
            grants.addAll(mine);
            grantsOf.add(mine);
        }
        verbs.promoteDue(tx, account, queue, List.copyOf(counts.keySet()), PROMOTED_AT_MOST);
        List<WorkItem> items = WorkSql.claim(tx, account, queue, counts, grants);
        Map<UUID, WorkView> byToken = viewsByToken(items);
        verbs.tell(
                tx,
                account,
                items,
                items.stream()
                        .map(item -> EventRow.of(item, WorkEvent.LEASE, WorkState.READY))
                        .toList());
        return grantsOf.stream().map(mine -> claimed(mine, byToken)).toList();
    }

    private static boolean claimerSaysHowLong(String queue) {
        return Profiles.ALL.stream()
                .anyMatch(
                        profile ->
                                profile.queue().equals(queue)
                                        && profile.lease().source() == LeaseSource.CLAIM);
    }

    private Map<UUID, WorkView> viewsByToken(List<WorkItem> items) throws SQLException {
        if (items.isEmpty()) {
            return Map.of();
        }
        Map<UUID, Documents> documents =
                WorkSql.documents(tx, account, items.stream().map(WorkItem::id).toList());
        var byToken = new HashMap<UUID, WorkView>();
        for (WorkItem item : items) {
            Documents mine = documents.get(item.id());
            UUID token = item.leaseToken();
            if (mine == null || token == null) {
                throw new IllegalStateException("item " + item.id() + " has no payload or lease");
            }
            byToken.put(token, new WorkView(item, mine, tx.nowMillis()));
        }
        return byToken;
    }

    private Claimed claimed(List<Grant> grants, Map<UUID, WorkView> byToken) {
        var views = new ArrayList<WorkView>();
        for (Grant grant : grants) {
            WorkView view = byToken.get(grant.token());
            if (view != null) {
                views.add(view);
            }
        }
        return new Claimed(views, tx.nowMillis());
    }
}
