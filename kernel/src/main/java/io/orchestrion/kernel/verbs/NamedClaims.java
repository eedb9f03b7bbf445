package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.flow.FlowKey;
import io.orchestrion.kernel.flow.KeyLimits;
import io.orchestrion.kernel.flow.KeyLimits.Named;
import io.orchestrion.kernel.verbs.KindSql.Kind;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Decision;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.WorkItem;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// Claims that name their item. They obey the item's type: whether it is paused, and the limits of
/// its keys. Without a key this costs nothing. Here the items are locked before the rings of the
/// keys; all other claims lock the rings first. But those never wait for an item, so that no two
/// transactions wait for each other.
final class NamedClaims {
    private final Tx tx;
    private final UUID account;
    private final KeyLimits limits;

    private NamedClaims(Tx tx, UUID account, KeyLimits limits) {
        this.tx = tx;
        this.account = account;
        this.limits = limits;
    }

    static NamedClaims of(
            Tx tx, UUID account, List<CommandRequest> requests, Map<UUID, WorkItem> locked)
            throws SQLException {
        var named = new ArrayList<Named>();
        for (CommandRequest request : requests) {
            WorkItem item = locked.get(request.id());
            if (item != null
                    && request.command() instanceof Command.Lease
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

    /// Turns decisions to lease into refusals where the type is paused or the key has no room, and
    /// counts the others.
    void hold(List<CommandRequest> requests, List<Decision> decisions) throws SQLException {
        var leasing = new HashMap<Integer, WorkItem>();
        for (int i = 0; i < requests.size(); i++) {
            if (requests.get(i).command() instanceof Command.Lease
                    && decisions.get(i) instanceof Decision.Change(var transitions, var then)
                    && then == null) {
                leasing.put(i, transitions.getFirst().before());
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
