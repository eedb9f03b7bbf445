package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.plan.Quotas.ClaimRoom;
import io.orchestrion.kernel.work.Profile.LeaseSource;
import io.orchestrion.kernel.work.WorkSql.EventRow;
import io.orchestrion.kernel.work.WorkSql.Grant;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
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
    private final List<ClaimRequest> all;

    ClaimRound(WorkVerbs verbs, Tx tx, UUID account, String queue, List<ClaimRequest> requests) {
        this.verbs = verbs;
        this.tx = tx;
        this.account = account;
        this.queue = queue;
        this.all = requests;
    }

    List<Claimed> run() throws SQLException {
        ClaimRoom room = verbs.claimRoom(tx, account, queue);
        return room.unlimited() ? serve(all) : serveWithin(room);
    }

    /// As many of the requests as may get something, first come first. Who finds nothing leaves
    /// its room to those after it; who comes when there is none is refused without a look.
    private List<Claimed> serveWithin(ClaimRoom room) throws SQLException {
        var answers = new ArrayList<Claimed>();
        var empty = new HashSet<String>();
        int left = room.left();
        while (answers.size() < all.size() && left > 0) {
            var group = new ArrayList<ClaimRequest>();
            int wanted = 0;
            for (ClaimRequest request : all.subList(answers.size(), all.size())) {
                // Those of a kind that is used up, or whose room is gone, are for later rounds.
                if (wanted == left || empty.contains(request.kind())) {
                    break;
                }
                ClaimRequest bounded = request.atMost(left - wanted);
                group.add(bounded);
                wanted += bounded.count();
            }
            if (group.isEmpty()) {
                answers.add(new Claimed(List.of(), tx.nowMillis(), null));
                continue;
            }
            List<Claimed> served = serve(group);
            for (int i = 0; i < served.size(); i++) {
                left -= served.get(i).items().size();
                if (served.get(i).items().size() < group.get(i).count()) {
                    empty.add(group.get(i).kind());
                }
            }
            answers.addAll(served);
        }
        int granted = room.left() - left;
        verbs.quotas().claimed(tx, account, room, granted);
        if (answers.size() < all.size()) {
            // What was just granted is what the rest has to wait for.
            ClaimRoom now = granted == 0 ? room : verbs.claimRoom(tx, account, queue);
            while (answers.size() < all.size()) {
                answers.add(Claimed.refused(refusal(now), tx.nowMillis()));
            }
        }
        return answers;
    }

    /// Why an account with no room left gets nothing.
    static Refusal refusal(ClaimRoom room) {
        return room.workers() <= room.claims()
                ? new Refusal.TooManyHeld(room.plan().maxWorkers(), room.waitMs())
                : new Refusal.TooManyClaims(room.plan().maxClaimsPerHour(), room.waitMs());
    }

    private List<Claimed> serve(List<ClaimRequest> requests) throws SQLException {
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
                Dependencies.withParents(
                        tx,
                        account,
                        items,
                        WorkSql.documents(tx, account, items.stream().map(WorkItem::id).toList()));
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
        return new Claimed(views, tx.nowMillis(), null);
    }
}
