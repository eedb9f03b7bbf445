package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.flow.FlowKey;
import io.orchestrion.kernel.flow.KeyLimits;
import io.orchestrion.kernel.flow.KeyLimits.Named;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Claims that name their item, held to the limits of its keys. Asks nothing of the database when
/// no item has a key. The items are locked before the rings here, and by all other claims after
/// them; but those never wait for an item, so nobody waits both ways.
final class NamedClaims {
    private final KeyLimits limits;

    private NamedClaims(KeyLimits limits) {
        this.limits = limits;
    }

    static NamedClaims of(Tx tx, UUID account, List<Order> orders, Map<UUID, WorkItem> locked)
            throws SQLException {
        var named = new ArrayList<Named>();
        for (Order order : orders) {
            WorkItem item = locked.get(order.id());
            if (item != null
                    && order.command() instanceof Command.Lease
                    && (item.keys().concurrency() != null || item.keys().rate() != null)) {
                named.add(
                        new Named(
                                item.id(),
                                item.queue(),
                                item.kind(),
                                new FlowKey(item.keys().concurrency(), item.keys().rate())));
            }
        }
        return new NamedClaims(KeyLimits.of(tx, account, named));
    }

    /// The decision, or a refusal where it would lease an item whose key is busy.
    Decision within(Order order, Decision decision) {
        if (!(order.command() instanceof Command.Lease)
                || !(decision instanceof Decision.Change change)
                || change.then() != null) {
            return decision;
        }
        KeyLimits.Busy busy = limits.busy(order.id());
        if (busy != null) {
            return new Decision.Refuse(
                    new Refusal.KeyBusy(change.steps().getFirst().before(), busy));
        }
        limits.taken(order.id());
        return decision;
    }

    void write() throws SQLException {
        limits.write();
    }
}
