package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.dependency.Dependencies;
import io.orchestrion.kernel.flow.FlowClaim;
import io.orchestrion.kernel.flow.Reflow;
import io.orchestrion.kernel.history.EventRow;
import io.orchestrion.kernel.plan.Quotas.ClaimRoom;
import io.orchestrion.kernel.verbs.ClaimMarks.Mark;
import io.orchestrion.kernel.verbs.ClaimSql.Grant;
import io.orchestrion.kernel.verbs.ClaimSql.Taken;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Claimed;
import io.orchestrion.kernel.work.Profile.LeaseSource;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.kernel.work.WorkView;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/// Serves several claims of one account and queue with one statement. The claim that came first
/// gets the best item of its kind.
final class ClaimRound {
    /// How many due items one claim makes ready before it takes the best of them.
    private static final int PROMOTED_AT_MOST = 1000;

    /// How often a claim of a kind with limits looks for more before it returns what it has.
    private static final int LOOKS = 8;

    private final WorkVerbs verbs;
    private final Tx tx;
    private final UUID account;
    private final String queue;
    private final List<ClaimRequest> all;
    private @Nullable Map<String, FlowClaim> flows;

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

    /// Serves as many of the requests as the account's plan has room for, in the order in which
    /// they came. A request that finds nothing leaves its room to those after it. A request that
    /// comes when no room is left is refused without a look.
    private List<Claimed> serveWithin(ClaimRoom room) throws SQLException {
        var answers = new ArrayList<Claimed>();
        var empty = new HashSet<String>();
        int left = room.left();
        while (answers.size() < all.size() && left > 0) {
            var group = new ArrayList<ClaimRequest>();
            int wanted = 0;
            for (ClaimRequest request : all.subList(answers.size(), all.size())) {
                // A request for a kind that has no more items, or for which no room is left, has to
                // wait for a later group.
                if (wanted == left || empty.contains(request.kind())) {
                    break;
                }
                ClaimRequest bounded = request.atMost(left - wanted);
                group.add(bounded);
                wanted += bounded.count();
            }
            if (group.isEmpty()) {
                answers.add(Claimed.of(List.of(), tx.nowMillis()));
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
            // The rest have to wait until some of what was just granted ends.
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

    private List<String> kinds() {
        return all.stream().map(ClaimRequest::kind).distinct().toList();
    }

    /// Makes due items ready, and learns which kinds have limits. This is done once for all
    /// requests, so that the rings of these kinds are locked together and in order.
    private Map<String, FlowClaim> flows() throws SQLException {
        Map<String, FlowClaim> known = flows;
        return known == null
                ? promoted(verbs.promote(tx, account, queue, kinds(), PROMOTED_AT_MOST))
                : known;
    }

    private Map<String, FlowClaim> promoted(PromotionSql.Promoted promoted) throws SQLException {
        // This claim has to find the items that it just made ready, so their marks go.
        promoted.promotions().forEach(one -> verbs.marks().again(account, queue, one.kind()));
        verbs.limits().found(account, queue, kinds(), promoted);
        Map<String, FlowClaim> claims =
                FlowClaim.begin(tx, account, queue, new TreeSet<>(promoted.limited()));
        for (String kind : promoted.switched()) {
            int free =
                    Reflow.settleFew(tx, account, queue, kind, promoted.limited().contains(kind));
            verbs.wakeFor(tx, account, queue, kind, free);
        }
        flows = claims;
        return claims;
    }

    private List<Claimed> serve(List<ClaimRequest> requests) throws SQLException {
        var counts = new LinkedHashMap<String, Integer>();
        var grantsOf = new ArrayList<List<Grant>>();
        boolean claimerSays = claimerSaysHowLong(queue);
        for (ClaimRequest request : requests) {
            var mine = new ArrayList<Grant>();
            for (int i = 0; i < request.count(); i++) {
                counts.merge(request.kind(), 1, Integer::sum);
                mine.add(
                        new Grant(
                                request.kind(),
                                verbs.ids().token(),
                                request.holder(),
                                claimerSays ? request.leaseSeconds() : null));
            }
            grantsOf.add(mine);
        }
        Map<String, List<Grant>> byKind =
                grantsOf.stream().flatMap(List::stream).collect(Collectors.groupingBy(Grant::kind));
        List<WorkView> views =
                flows == null && !verbs.limits().likely(account, queue, kinds()) && !marked(counts)
                        ? promoteAndTake(counts, byKind)
                        : take(flows(), counts, byKind);
        List<WorkItem> items = views.stream().map(WorkView::item).toList();
        Map<UUID, WorkView> byToken = byToken(tx, account, views);
        verbs.tell(
                tx,
                account,
                items.stream()
                        .map(item -> EventRow.of(item, WorkEvent.LEASE, WorkState.READY))
                        .toList());
        verbs.started(tx, account, items);
        return grantsOf.stream().map(mine -> claimed(mine, byToken)).toList();
    }

    /// An item that is made ready may lie before a mark, and then the mark has to be forgotten
    /// before the claim.
    private boolean marked(Map<String, Integer> counts) {
        return counts.keySet().stream().anyMatch(kind -> verbs.marks().of(line(kind)) != null);
    }

    /// Promotes and claims in one round trip, as if no kind had limits. The statement takes nothing
    /// of a kind that has limits after all. Such a kind is then claimed in the usual way.
    private List<WorkView> promoteAndTake(
            Map<String, Integer> counts, Map<String, List<Grant>> byKind) throws SQLException {
        PromotionSql.Promoted promoted =
                PromotionSql.promoteDueLater(tx, account, queue, kinds(), PROMOTED_AT_MOST);
        var views = new ArrayList<>(takeOpen(counts, byKind));
        verbs.tellPromoted(tx, account, queue, promoted.promotions());
        Map<String, FlowClaim> limited = promoted(promoted);
        var left = new LinkedHashMap<>(counts);
        left.keySet()
                .removeIf(
                        kind ->
                                !promoted.limited().contains(kind)
                                        && !promoted.switched().contains(kind));
        if (!left.isEmpty()) {
            views.addAll(take(limited, left, byKind));
        }
        return views;
    }

    /// Kinds without limits all at once, the others one by one.
    private List<WorkView> take(
            Map<String, FlowClaim> limited,
            Map<String, Integer> counts,
            Map<String, List<Grant>> byKind)
            throws SQLException {
        var items = new ArrayList<WorkView>();
        var open = new LinkedHashMap<>(counts);
        for (var entry : limited.entrySet()) {
            if (open.remove(entry.getKey()) != null) {
                items.addAll(
                        takeByKey(
                                entry.getValue(), byKind.getOrDefault(entry.getKey(), List.of())));
            }
        }
        if (!open.isEmpty()) {
            items.addAll(takeOpen(open, byKind));
        }
        return items;
    }

    /// Claims from the mark where ready items were found lately. If there is nothing from there on,
    /// claims from the beginning.
    private List<WorkView> takeOpen(Map<String, Integer> counts, Map<String, List<Grant>> byKind)
            throws SQLException {
        List<Grant> grants =
                counts.keySet().stream()
                        .flatMap(kind -> byKind.getOrDefault(kind, List.of()).stream())
                        .toList();
        var marks = new HashMap<String, Mark>();
        for (String kind : counts.keySet()) {
            Mark mark = verbs.marks().of(line(kind));
            if (mark != null) {
                marks.put(kind, mark);
            }
        }
        if (marks.size() == counts.size()) {
            List<Taken> taken = ClaimSql.claimFrom(tx, account, queue, counts, grants, marks);
            if (!taken.isEmpty()) {
                return taken.stream().map(Taken::view).toList();
            }
        }
        var looks = new HashMap<String, ClaimMarks.Look>();
        counts.keySet()
                .forEach(kind -> looks.put(kind, verbs.marks().look(line(kind), grants.size())));
        List<Taken> taken = ClaimSql.claim(tx, account, queue, counts, grants);
        var first = new HashMap<String, Mark>();
        for (Taken one : taken) {
            Mark mark = one.mark();
            if (mark != null) {
                first.merge(one.view().item().kind(), mark, Mark::better);
            }
        }
        looks.forEach((kind, look) -> look.found(first.get(kind)));
        return taken.stream().map(Taken::view).toList();
    }

    private ClaimMarks.Line line(String kind) {
        return new ClaimMarks.Line(account, queue, kind);
    }

    /// Looks again while there is something to take: if few keys have many items, one look does not
    /// reach those that lie deeper.
    private List<WorkView> takeByKey(FlowClaim flow, List<Grant> grants) throws SQLException {
        var items = new ArrayList<WorkView>();
        List<Grant> open = grants;
        for (int look = 0; look < LOOKS && !open.isEmpty() && !flow.exhausted(); look++) {
            List<FlowClaim.Picked> picked = flow.pick(open.size());
            List<UUID> ids = picked.stream().map(FlowClaim.Picked::id).toList();
            List<WorkView> taken =
                    ids.isEmpty()
                            ? List.of()
                            : ClaimSql.take(
                                    tx,
                                    account,
                                    queue,
                                    picked.getLast().flowKey(),
                                    ids,
                                    open.subList(0, ids.size()));
            flow.leased(
                    picked,
                    taken.stream().map(view -> view.item().id()).collect(Collectors.toSet()));
            if (taken.isEmpty()) {
                break;
            }
            items.addAll(taken);
            Set<UUID> used =
                    taken.stream()
                            .map(view -> view.item().lease().token())
                            .filter(Objects::nonNull)
                            .collect(Collectors.toSet());
            open = open.stream().filter(grant -> !used.contains(grant.token())).toList();
        }
        return items;
    }

    private static boolean claimerSaysHowLong(String queue) {
        return Profiles.ALL.stream()
                .anyMatch(
                        profile ->
                                profile.queue().equals(queue)
                                        && profile.lease().source() == LeaseSource.CLAIM);
    }

    /// The claimed items with their documents, by the token of their leases.
    static Map<UUID, WorkView> byToken(Tx tx, UUID account, List<WorkView> views)
            throws SQLException {
        var byToken = new HashMap<UUID, WorkView>();
        for (WorkView view : Dependencies.withParents(tx, account, views)) {
            byToken.put(Objects.requireNonNull(view.item().lease().token()), view);
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
        return Claimed.of(views, tx.nowMillis());
    }
}
