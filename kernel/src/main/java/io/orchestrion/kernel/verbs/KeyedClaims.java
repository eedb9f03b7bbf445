package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.combine.Rounds;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.verbs.ReceiptSql.ClaimedLease;
import io.orchestrion.kernel.verbs.ReceiptSql.NewLease;
import io.orchestrion.kernel.work.ClaimKey;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Claimed;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkView;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/// Claims that can be sent again with the same id. The id is taken before anything is claimed, so
/// that a second claim with the same id waits for the outcome of the first. The leases are kept in
/// the transaction that gives them: after a crash there is both or neither. A claim that got
/// nothing leaves no trace.
final class KeyedClaims {
    private final Tx tx;
    private final UUID account;

    KeyedClaims(Tx tx, UUID account) {
        this.tx = tx;
        this.account = account;
    }

    interface Serve {
        List<Claimed> serve(List<ClaimRequest> requests) throws SQLException;
    }

    /// Answers claims that were answered before, whatever room the plan has left, and hands on the
    /// rest.
    List<Claimed> run(List<ClaimRequest> requests, Serve serve) throws SQLException {
        if (requests.stream().allMatch(request -> request.key() == null)) {
            return serve.serve(requests);
        }
        // Claims with the same id are done one after the other, so that the second finds what the
        // first was given.
        return Rounds.run(requests, KeyedClaims::sharesId, round -> once(round, serve));
    }

    private static List<UUID> sharesId(ClaimRequest request) {
        ClaimKey key = request.key();
        return key == null ? List.of() : List.of(key.id());
    }

    private List<Claimed> once(List<ClaimRequest> round, Serve serve) throws SQLException {
        Map<UUID, Claimed> before =
                take(round.stream().map(ClaimRequest::key).filter(Objects::nonNull).toList());
        var answers = new TreeMap<Integer, Claimed>();
        var fresh = new ArrayList<Integer>();
        for (int place = 0; place < round.size(); place++) {
            ClaimKey key = round.get(place).key();
            Claimed known = key == null ? null : before.get(key.id());
            if (known == null) {
                fresh.add(place);
            } else {
                answers.put(place, known);
            }
        }
        if (!fresh.isEmpty()) {
            List<Claimed> served = serve.serve(fresh.stream().map(round::get).toList());
            var given = new HashMap<ClaimKey, List<WorkItem>>();
            for (int i = 0; i < fresh.size(); i++) {
                answers.put(fresh.get(i), served.get(i));
                ClaimKey key = round.get(fresh.get(i)).key();
                if (key != null) {
                    given.put(key, served.get(i).items().stream().map(WorkView::item).toList());
                }
            }
            keep(given);
        }
        return List.copyOf(answers.values());
    }

    /// Takes the ids. For each id that was used before, returns what that claim is to be answered
    /// now.
    Map<UUID, Claimed> take(List<ClaimKey> keys) throws SQLException {
        var answers = new HashMap<UUID, Claimed>();
        if (keys.isEmpty()) {
            return answers;
        }
        Set<UUID> ours = ReceiptSql.takeClaims(tx, account, keys);
        List<ClaimKey> used = keys.stream().filter(key -> !ours.contains(key.id())).toList();
        if (used.isEmpty()) {
            return answers;
        }
        var leases = new HashMap<UUID, List<ClaimedLease>>();
        for (ClaimedLease lease :
                ReceiptSql.leases(tx, account, used.stream().map(ClaimKey::id).toList())) {
            leases.computeIfAbsent(lease.claimId(), _ -> new ArrayList<>()).add(lease);
        }
        for (ClaimKey key : used) {
            answers.put(key.id(), again(key, leases.getOrDefault(key.id(), List.of())));
        }
        return answers;
    }

    /// Answers with the same leases, if they are still live.
    private Claimed again(ClaimKey key, List<ClaimedLease> leases) {
        if (leases.stream().anyMatch(lease -> !lease.digest().equals(key.digest()))) {
            return Claimed.refused(new Refusal.ClaimConflict(), tx.nowMillis());
        }
        List<WorkView> live =
                leases.stream().map(ClaimedLease::view).filter(Objects::nonNull).toList();
        return live.isEmpty()
                ? Claimed.refused(new Refusal.ClaimOver(), tx.nowMillis())
                : new Claimed(live, tx.nowMillis(), null, true);
    }

    /// Keeps the leases that were given for the ids of this transaction, and frees the ids of
    /// claims that got nothing.
    void keep(Map<ClaimKey, List<WorkItem>> given) throws SQLException {
        var leases = new ArrayList<NewLease>();
        var free = new ArrayList<UUID>();
        given.forEach(
                (key, items) -> {
                    if (items.isEmpty()) {
                        free.add(key.id());
                    }
                    for (int i = 0; i < items.size(); i++) {
                        WorkItem item = items.get(i);
                        leases.add(
                                new NewLease(
                                        key,
                                        i,
                                        item.id(),
                                        Objects.requireNonNull(item.lease().token())));
                    }
                });
        if (!leases.isEmpty()) {
            ReceiptSql.keepLeases(tx, account, leases);
        }
        if (!free.isEmpty()) {
            ReceiptSql.freeClaims(tx, account, free);
        }
    }
}
