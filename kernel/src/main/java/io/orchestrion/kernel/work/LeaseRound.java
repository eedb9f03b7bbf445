package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.plan.Quotas.ClaimRoom;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Commands on different items of one account, some of which claim the item they name: those are
/// held to the account's plan like any claim.
final class LeaseRound {
    private final WorkVerbs verbs;
    private final Tx tx;
    private final UUID account;
    private final List<Order> orders;

    LeaseRound(WorkVerbs verbs, Tx tx, UUID account, List<Order> orders) {
        this.verbs = verbs;
        this.tx = tx;
        this.account = account;
        this.orders = orders;
    }

    List<Ack> run() throws SQLException {
        List<String> queues =
                orders.stream()
                        .filter(LeaseRound::claims)
                        .map(order -> order.profile().queue())
                        .distinct()
                        .sorted()
                        .toList();
        for (String queue : queues) {
            ClaimRoom room = verbs.claimRoom(tx, account, queue);
            if (!room.unlimited()) {
                return oneByOne(room);
            }
        }
        return verbs.execute(tx, account, orders);
    }

    private static boolean claims(Order order) {
        return order.command() instanceof Command.Lease;
    }

    /// Only a claim that succeeds takes room, so each has to be known before the next.
    private List<Ack> oneByOne(ClaimRoom room) throws SQLException {
        var acks = new ArrayList<Ack>();
        int granted = 0;
        for (Order order : orders) {
            if (claims(order) && granted >= room.left()) {
                acks.add(new Ack.Refused(ClaimRound.refusal(room), tx.nowMillis()));
                continue;
            }
            Ack ack = verbs.execute(tx, account, List.of(order)).getFirst();
            if (claims(order) && ack instanceof Ack.Applied) {
                granted++;
            }
            acks.add(ack);
        }
        verbs.quotas().claimed(tx, account, room, granted);
        return acks;
    }
}
