package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.verbs.WorkSql.Owned;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// The locks of one transaction on items of one account and on their owners. Owners are locked
/// before their items, everywhere; otherwise two transactions could wait for each other. No
/// transaction waits for an owner here. Where another session holds an owner, its items are left
/// out, so that a slow owner delays only requests for its own items (decision 152).
///
/// A heartbeat, and a claim that ends no lease, lock only the item. They have no lock on the owner,
/// and they do not wait for the item either: the session that holds it may itself wait for an item
/// that this transaction holds.
public final class OwnerLocks {
    private final Owners owners;
    private final Tx tx;
    private final UUID account;
    private final Set<OwnerRef> mine = new HashSet<>();
    private final Set<UUID> busy = new HashSet<>();

    OwnerLocks(Owners owners, Tx tx, UUID account) {
        this.owners = owners;
        this.tx = tx;
        this.account = account;
    }

    /// Whether an item was left out. It stays left out until the end of the transaction, so that no
    /// later request for it overtakes an earlier one.
    boolean isBusy(UUID id) {
        return busy.contains(id);
    }

    /// Locks the owners of the items. Returns the items whose owner another session holds.
    public Set<UUID> lockOwnersOf(List<UUID> ids) throws SQLException {
        if (owners.isEmpty() || ids.isEmpty()) {
            return Set.of();
        }
        Map<UUID, Owned> owned = WorkSql.ownersOf(tx, account, ids);
        take(owned.values().stream().map(Owned::owner).toList());
        var left = new HashSet<UUID>();
        owned.forEach(
                (id, one) -> {
                    if (!mine.contains(one.owner())) {
                        left.add(id);
                    }
                });
        busy.addAll(left);
        return left;
    }

    /// Locks what the requests need, and reads the items that are not left out.
    Map<UUID, WorkItem> lock(List<CommandRequest> requests) throws SQLException {
        List<CommandRequest> open =
                requests.stream().filter(request -> !isBusy(request.id())).toList();
        List<UUID> ids = open.stream().map(CommandRequest::id).toList();
        if (owners.isEmpty() || ids.isEmpty()) {
            return WorkSql.lock(tx, account, ids, true);
        }
        Map<UUID, Owned> owned = WorkSql.ownersOf(tx, account, ids);
        var needed = new ArrayList<OwnerRef>();
        for (CommandRequest request : open) {
            Owned its = owned.get(request.id());
            if (its != null && needsOwner(request.command(), its.lapsed())) {
                needed.add(its.owner());
            }
        }
        take(needed);
        var waitedFor = new ArrayList<UUID>();
        var passedOver = new ArrayList<CommandRequest>();
        for (CommandRequest request : open) {
            Owned its = owned.get(request.id());
            if (its == null || mine.contains(its.owner())) {
                waitedFor.add(request.id());
            } else if (needsOwner(request.command(), its.lapsed())) {
                busy.add(request.id());
            } else {
                passedOver.add(request);
            }
        }
        var locked = new HashMap<UUID, WorkItem>();
        if (!waitedFor.isEmpty()) {
            locked.putAll(WorkSql.lock(tx, account, waitedFor, true));
        }
        lockAlone(passedOver, locked);
        return locked;
    }

    private void lockAlone(List<CommandRequest> requests, Map<UUID, WorkItem> locked)
            throws SQLException {
        if (requests.isEmpty()) {
            return;
        }
        Map<UUID, WorkItem> free =
                WorkSql.lock(
                        tx, account, requests.stream().map(CommandRequest::id).toList(), false);
        for (CommandRequest request : requests) {
            WorkItem item = free.get(request.id());
            // The lease, or the time until which the item is wanted, may have run out since the
            // owners were read.
            if (item == null || needsOwner(request.command(), lapsed(item))) {
                busy.add(request.id());
            } else {
                locked.put(item.id(), item);
            }
        }
    }

    private boolean lapsed(WorkItem item) {
        return item.leaseExpired(tx.nowMillis()) || item.overdue(tx.nowMillis());
    }

    private void take(List<OwnerRef> wanted) throws SQLException {
        List<OwnerRef> missing =
                wanted.stream().distinct().filter(one -> !mine.contains(one)).toList();
        if (!missing.isEmpty()) {
            mine.addAll(owners.lock(tx, account, missing));
        }
    }

    /// @param lapsed whether the item is held under a lease that ran out, or the time is over until
    ///     which it is wanted. A claim first ends that
    private static boolean needsOwner(Command command, boolean lapsed) {
        return switch (command) {
            case Command.Heartbeat _ -> false;
            case Command.Lease _ -> lapsed;
            case Command.Start _,
                    Command.Complete _,
                    Command.Fail _,
                    Command.TimeOut _,
                    Command.LetGo _,
                    Command.Expire _,
                    Command.GiveUp _,
                    Command.AskPause _,
                    Command.Cancel _,
                    Command.Withdraw _,
                    Command.Reopen _,
                    Command.Retry _,
                    Command.Hold _,
                    Command.Release _ ->
                    true;
        };
    }
}
