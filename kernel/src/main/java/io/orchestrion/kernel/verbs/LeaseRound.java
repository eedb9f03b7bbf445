package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.plan.Quotas.ClaimRoom;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.ClaimKey;
import io.orchestrion.kernel.work.Claimed;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkView;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/// Commands on different items of one account, some of which claim the item that they name. Such
/// claims are counted against the account's plan like all others.
final class LeaseRound {
    private final WorkVerbs verbs;
    private final Tx tx;
    private final UUID account;
    private final List<CommandRequest> requests;
    private final OwnerLocks locks;

    LeaseRound(
            WorkVerbs verbs, Tx tx, UUID account, List<CommandRequest> requests, OwnerLocks locks) {
        this.verbs = verbs;
        this.tx = tx;
        this.account = account;
        this.requests = requests;
        this.locks = locks;
    }

    /// The answers. A request whose owner another session holds has none.
    List<Optional<Ack>> run() throws SQLException {
        Map<UUID, ClaimKey> keys = keys();
        if (keys.isEmpty()) {
            return execute(requests);
        }
        var claims = new KeyedClaims(tx, account);
        Map<UUID, Claimed> before = claims.take(keys.values().stream().distinct().toList());
        var answers = new HashMap<UUID, Optional<Ack>>();
        keys.forEach(
                (id, key) -> {
                    Claimed known = before.get(key.id());
                    if (known != null) {
                        answers.put(id, Optional.of(answer(known)));
                    }
                });
        List<CommandRequest> left =
                requests.stream().filter(request -> !answers.containsKey(request.id())).toList();
        List<Optional<Ack>> acks = left.isEmpty() ? List.of() : execute(left);
        var given = new HashMap<ClaimKey, List<WorkItem>>();
        for (int i = 0; i < left.size(); i++) {
            answers.put(left.get(i).id(), acks.get(i));
            ClaimKey key = keys.get(left.get(i).id());
            if (key != null) {
                given.put(
                        key,
                        acks.get(i)
                                .filter(Ack.Applied.class::isInstance)
                                .map(ack -> List.of(((Ack.Applied) ack).item()))
                                .orElse(List.of()));
            }
        }
        claims.keep(given);
        return requests.stream()
                .map(request -> Objects.requireNonNull(answers.get(request.id())))
                .toList();
    }

    /// The keys of the claims that can be sent again, by item.
    private Map<UUID, ClaimKey> keys() {
        var keys = new HashMap<UUID, ClaimKey>();
        for (CommandRequest request : requests) {
            if (request.command() instanceof Command.Lease lease && lease.key() != null) {
                keys.put(request.id(), lease.key());
            }
        }
        return keys;
    }

    private static Ack answer(Claimed claimed) {
        Refusal refusal = claimed.refusal();
        if (refusal != null) {
            return new Ack.Refused(refusal, claimed.nowMs());
        }
        WorkView view = claimed.items().getFirst();
        return new Ack.Repeated(view.item(), view.documents(), claimed.nowMs());
    }

    private List<Optional<Ack>> execute(List<CommandRequest> wanted) throws SQLException {
        for (CommandRequest request : wanted) {
            if (claims(request)) {
                ClaimRoom room = verbs.claimRoom(tx, account, request.profile().queue());
                if (!room.unlimited()) {
                    return oneByOne(wanted, room, request.profile().queue());
                }
            }
        }
        return new CommandRound(verbs, tx, account, locks).run(wanted);
    }

    /// All rounds of a batch lock the counter of claims before any item, because other claims wait
    /// for it.
    static void lockRoom(WorkVerbs verbs, Tx tx, UUID account, List<CommandRequest> requests)
            throws SQLException {
        for (CommandRequest request : requests) {
            if (claims(request)
                    && !verbs.claimRoom(tx, account, request.profile().queue()).unlimited()) {
                return;
            }
        }
    }

    private static boolean claims(CommandRequest request) {
        return request.command() instanceof Command.Lease;
    }

    /// Only a claim that succeeds uses up room, so each is carried out before the next is looked
    /// at.
    private List<Optional<Ack>> oneByOne(List<CommandRequest> wanted, ClaimRoom room, String queue)
            throws SQLException {
        // All owners and items are locked first, so that every transaction locks them in the same
        // order.
        locks.lock(wanted);
        var acks = new ArrayList<Optional<Ack>>();
        ClaimRoom left = room;
        for (CommandRequest request : wanted) {
            boolean counted = claims(request) && request.profile().queue().equals(queue);
            if (counted && left.left() == 0) {
                acks.add(Optional.of(new Ack.Refused(ClaimRound.refusal(left), tx.nowMillis())));
                continue;
            }
            Optional<Ack> ack =
                    new CommandRound(verbs, tx, account, locks).run(List.of(request)).getFirst();
            if (counted && ack.filter(Ack.Applied.class::isInstance).isPresent()) {
                verbs.quotas().claimed(tx, account, left, 1);
                left = verbs.claimRoom(tx, account, queue);
            }
            acks.add(ack);
        }
        return acks;
    }
}
