package io.orchestrion.kernel.duties;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.memory.BoundedMap;
import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;
import io.orchestrion.kernel.verbs.CommandRound;
import io.orchestrion.kernel.verbs.OwnerLocks;
import io.orchestrion.kernel.verbs.WorkSql;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// Ends items whose time has come: timers, and items that are given up. Each ends once, whatever
/// the number of nodes. Owners are locked before their items. Many owners share a transaction. An
/// owner that another session holds is left for the next pass. If one owner cannot go on, each gets
/// a transaction of its own, and only that one is left for later. Items without an owner are then
/// done one by one.
final class TimedEnds {
    private static final Logger log = LoggerFactory.getLogger(TimedEnds.class);
    private static final int BATCH = 100;

    /// After so many batches of one look, the others have their turn.
    private static final int ROUNDS = 20;

    /// When an owner that could not go on is asked again.
    private static final Duration BAD_OWNER_WAIT = Duration.ofSeconds(10);

    private final Database database;
    private final WorkVerbs verbs;
    private final NanoTicker ticker;
    private final Command command;
    private final Still still;
    private final Map<UUID, Long> leftUntilNanos = new BoundedMap<>();

    /// @param command that ends an item
    /// @param still whether that is still to be done, once it is locked
    TimedEnds(Database database, WorkVerbs verbs, NanoTicker ticker, Command command, Still still) {
        this.database = database;
        this.verbs = verbs;
        this.ticker = ticker;
        this.command = command;
        this.still = still;
    }

    interface Still {
        boolean holds(WorkItem item, long nowMs);
    }

    /// An item that was found, read without a lock.
    ///
    /// @param owner null where the item has none
    record Found(UUID id, @Nullable OwnerRef owner) {}

    interface Look {
        /// @param without owners, and items of none, that are left out
        List<Found> find(Tx tx, Set<UUID> without, int most) throws SQLException;
    }

    /// How many of the account were ended.
    int end(UUID account, Look look) {
        int ended = 0;
        Set<UUID> left = leftAlone();
        for (int round = 0; round < ROUNDS; round++) {
            Set<UUID> without = Set.copyOf(left);
            List<Found> found = database.transaction(tx -> look.find(tx, without, BATCH));
            if (!found.isEmpty()) {
                ended += endAll(account, found, left);
            }
            if (found.size() < BATCH) {
                break;
            }
        }
        return ended;
    }

    private int endAll(UUID account, List<Found> found, Set<UUID> left) {
        try {
            return end(account, found, left);
        } catch (RuntimeException e) {
            if (StoreException.ofWholeStore(e)) {
                throw e;
            }
            log.debug("items of account {} could not be ended together", account, e);
        }
        int ended = 0;
        for (var each : apart(found).entrySet()) {
            try {
                ended += end(account, each.getValue(), left);
            } catch (RuntimeException e) {
                if (StoreException.ofWholeStore(e)) {
                    throw e;
                }
                leave(each.getKey(), each.getValue().getFirst().owner(), e, left);
            }
        }
        return ended;
    }

    /// Groups the items by what can hold them up: their owner, or the item itself.
    private static Map<UUID, List<Found>> apart(List<Found> found) {
        var apart = new LinkedHashMap<UUID, List<Found>>();
        for (Found each : found) {
            OwnerRef owner = each.owner();
            apart.computeIfAbsent(owner == null ? each.id() : owner.id(), _ -> new ArrayList<>())
                    .add(each);
        }
        return apart;
    }

    private int end(UUID account, List<Found> found, Set<UUID> left) {
        List<UUID> ids = found.stream().map(Found::id).toList();
        Ended ended = database.transaction(tx -> end(tx, account, ids));
        for (Found each : found) {
            OwnerRef owner = each.owner();
            if (owner != null && ended.busy().contains(each.id())) {
                left.add(owner.id());
            }
        }
        return ended.count();
    }

    /// @param busy items whose owner another session holds
    private record Ended(int count, Set<UUID> busy) {}

    private Ended end(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        OwnerLocks locks = verbs.locks(tx, account);
        Set<UUID> busy = locks.lockOwnersOf(ids);
        List<UUID> free = ids.stream().filter(id -> !busy.contains(id)).toList();
        Map<UUID, WorkItem> locked = WorkSql.lock(tx, account, free, false);
        locked.values().removeIf(item -> !still.holds(item, tx.nowMillis()));
        var round = new CommandRound(verbs, tx, account, locks);
        return new Ended(round.onLocked(locked.values(), command).size(), busy);
    }

    private void leave(UUID id, @Nullable OwnerRef owner, RuntimeException why, Set<UUID> left) {
        left.add(id);
        String whose = owner == null ? "item" : owner.kind();
        boolean busy =
                why instanceof StoreException store
                        && (store.kind() == StoreException.Kind.LOCKED
                                || store.kind() == StoreException.Kind.CONFLICT);
        if (busy) {
            log.debug("{} {} is busy, what ends of it waits for the next pass", whose, id);
            return;
        }
        log.error("what is to end of {} {} cannot be ended", whose, id, why);
        synchronized (leftUntilNanos) {
            leftUntilNanos.put(id, ticker.nanos() + BAD_OWNER_WAIT.toNanos());
        }
    }

    private Set<UUID> leftAlone() {
        long now = ticker.nanos();
        synchronized (leftUntilNanos) {
            leftUntilNanos.values().removeIf(until -> until - now <= 0);
            return new HashSet<>(leftUntilNanos.keySet());
        }
    }
}
