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
        for (Order order : orders) {
            if (claims(order)) {
                ClaimRoom room = verbs.claimRoom(tx, account, order.profile().queue());
                if (!room.unlimited()) {
                    return oneByOne(room, order.profile().queue());
                }
            }
        }
        return verbs.execute(tx, account, orders);
    }

    /// The counter that claims wait for is locked before any item, by all rounds of a batch.
    static void lockRoom(WorkVerbs verbs, Tx tx, UUID account, List<Order> orders)
            throws SQLException {
        for (Order order : orders) {
            if (claims(order)
                    && !verbs.claimRoom(tx, account, order.profile().queue()).unlimited()) {
                return;
            }
        }
    }

    private static boolean claims(Order order) {
        return order.command() instanceof Command.Lease;
    }

    /// Only a claim that succeeds takes room, so each has to be known before the next.
    private List<Ack> oneByOne(ClaimRoom room, String queue) throws SQLException {
        verbs.lockAll(tx, account, orders.stream().map(Order::id).toList());
        var acks = new ArrayList<Ack>();
        ClaimRoom left = room;
        for (Order order : orders) {
            boolean counted = claims(order) && order.profile().queue().equals(queue);
            if (counted && left.left() == 0) {
                acks.add(new Ack.Refused(ClaimRound.refusal(left), tx.nowMillis()));
                continue;
            }
            Ack ack = verbs.execute(tx, account, List.of(order)).getFirst();
            if (counted && ack instanceof Ack.Applied) {
                verbs.quotas().claimed(tx, account, left, 1);
                left = verbs.claimRoom(tx, account, queue);
            }
            acks.add(ack);
        }
        return acks;
    }
}
