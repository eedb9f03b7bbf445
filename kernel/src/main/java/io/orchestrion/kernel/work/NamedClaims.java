package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.flow.FlowKey;
import io.orchestrion.kernel.flow.KeyLimits;
import io.orchestrion.kernel.flow.KeyLimits.Named;
import io.orchestrion.kernel.work.KindSql.Kind;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// Claims that name their item, held to what its type says: whether it is paused, and the limits
/// of its keys, which cost nothing when no item has a key. The items are locked before the rings
/// here, and by all other claims after them; but those never wait for an item, so nobody waits
/// both ways.
final class NamedClaims {
    private final Tx tx;
    private final UUID account;
    private final KeyLimits limits;

    private NamedClaims(Tx tx, UUID account, KeyLimits limits) {
        this.tx = tx;
        this.account = account;
        this.limits = limits;
    }

    static NamedClaims of(Tx tx, UUID account, List<Order> orders, Map<UUID, WorkItem> locked)
            throws SQLException {
        var named = new ArrayList<Named>();
        for (Order order : orders) {
            WorkItem item = locked.get(order.id());
            if (item != null
                    && order.command() instanceof Command.Lease
                    && (item.links().keys().concurrency() != null
                            || item.links().keys().rate() != null)) {
                named.add(
                        new Named(
                                item.id(),
                                item.queue(),
                                item.kind(),
                                new FlowKey(
                                        item.links().keys().concurrency(),
                                        item.links().keys().rate())));
            }
        }
        return new NamedClaims(tx, account, KeyLimits.of(tx, account, named));
    }

    /// Turns decisions to lease into refusals where the type is paused or the key is busy, and
    /// counts the rest.
    void hold(List<Order> orders, List<Decision> decisions) throws SQLException {
        var leasing = new HashMap<Integer, WorkItem>();
        for (int i = 0; i < orders.size(); i++) {
            if (orders.get(i).command() instanceof Command.Lease
                    && decisions.get(i) instanceof Decision.Change(var steps, var then)
                    && then == null) {
                leasing.put(i, steps.getFirst().before());
            }
        }
        if (leasing.isEmpty()) {
            return;
        }
        Set<Kind> paused = KindSql.pausedAmong(tx, account, leasing.values());
        leasing.forEach(
                (place, item) -> {
                    Refusal refusal =
                            paused.contains(new Kind(item.queue(), item.kind()))
                                    ? new Refusal.KindPaused(item)
                                    : busy(item);
                    if (refusal != null) {
                        decisions.set(place, new Decision.Refuse(refusal));
                    }
                });
        limits.write();
    }

    private @Nullable Refusal busy(WorkItem item) {
        KeyLimits.Busy busy = limits.busy(item.id());
        if (busy != null) {
            return new Refusal.KeyBusy(item, busy);
        }
        limits.taken(item.id());
        return null;
    }
}
