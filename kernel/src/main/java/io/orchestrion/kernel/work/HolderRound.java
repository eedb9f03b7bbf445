package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.PolicySql.Beat;
import io.orchestrion.kernel.work.WorkSql.Fenced;
import io.orchestrion.kernel.work.WorkSql.OutcomeRow;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// The holders' verbs on different items of one account. Heartbeats and completions that hold, by
/// far the most, are one guarded statement for all of them, which passes over rows that somebody
/// else has locked; whatever that did not match is left undone.
final class HolderRound {
    private final WorkVerbs verbs;
    private final Tx tx;
    private final UUID account;
    private final List<Order> orders;
    private final Set<UUID> left;
    private final Map<UUID, Ack> acks = new HashMap<>();

    /// @param left items whose orders are left undone, lest a later one overtake an earlier one;
    ///     those of this round are added
    HolderRound(WorkVerbs verbs, Tx tx, UUID account, List<Order> orders, Set<UUID> left) {
        this.verbs = verbs;
        this.tx = tx;
        this.account = account;
        this.orders = orders;
        this.left = left;
    }

    /// Whether there is a statement for it. Where a log is kept, a completion is written with it.
    static boolean serves(Order order) {
        return !order.documents()
                && (order.command() instanceof Command.Heartbeat
                        || (order.command() instanceof Command.Complete
                                && !order.profile().keeping().log()));
    }

    /// The answers, none for those that are left undone.
    List<Optional<Ack>> run() throws SQLException {
        var beats = new HashMap<Profile, List<Fenced>>();
        var ends = new HashMap<Profile, List<End>>();
        var logged = new HashMap<Profile, List<Beat>>();
        for (Order order : orders) {
            if (left.contains(order.id()) || !serves(order)) {
                continue;
            }
            Profile profile = order.profile();
            if (profile.keeping().log()) {
                // Its holders go by their names, and its log is written with the change.
                if (order.command() instanceof Command.Heartbeat beat) {
                    logged.computeIfAbsent(profile, _ -> new ArrayList<>())
                            .add(new Beat(order.id(), beat));
                }
            } else if (order.command() instanceof Command.Heartbeat beat) {
                beats.computeIfAbsent(profile, _ -> new ArrayList<>())
                        .add(new Fenced(order.id(), beat.fence(), null, null, null));
            } else if (order.command() instanceof Command.Complete complete) {
                ends.computeIfAbsent(profile, _ -> new ArrayList<>())
                        .add(new End(order.id(), complete));
            }
        }
        for (var entry : beats.entrySet()) {
            String queue = entry.getKey().queue();
            List<WorkItem> renewed = WorkSql.heartbeat(tx, account, queue, entry.getValue());
            renewed.forEach(this::applied);
            verbs.signals().beaten(tx, queue, renewed.size());
        }
        for (var entry : logged.entrySet()) {
            List<WorkItem> renewed =
                    PolicySql.heartbeat(tx, account, entry.getKey().queue(), entry.getValue());
            renewed.forEach(this::applied);
            verbs.log().heartbeats(tx, account, renewed);
            verbs.signals().beaten(tx, entry.getKey().queue(), renewed.size());
        }
        for (var entry : ends.entrySet()) {
            complete(entry.getKey(), entry.getValue());
        }
        orders.stream().map(Order::id).filter(id -> !acks.containsKey(id)).forEach(left::add);
        return orders.stream().map(order -> Optional.ofNullable(acks.get(order.id()))).toList();
    }

    private record End(UUID id, Command.Complete complete) {
        Fenced fenced(@Nullable Long purgeAfterMs) {
            return new Fenced(
                    id,
                    complete.fence(),
                    purgeAfterMs,
                    complete.settles(),
                    OutcomeRow.of(id, complete));
        }
    }

    private void complete(Profile profile, List<End> ends) throws SQLException {
        Long purgeAfter = verbs.purgeAfterMs(tx, account, profile);
        List<WorkItem> completed =
                WorkSql.complete(
                        tx,
                        account,
                        profile,
                        ends.stream().map(end -> end.fenced(purgeAfter)).toList());
        var events = new ArrayList<EventRow>();
        for (WorkItem item : completed) {
            applied(item);
            events.add(EventRow.of(item, WorkEvent.COMPLETE, WorkState.RUNNING));
            verbs.wakeForSlot(tx, item);
        }
        verbs.tell(tx, account, events);
        verbs.parentEnds().note(tx, account, completed);
    }

    private void applied(WorkItem item) {
        acks.put(item.id(), new Ack.Applied(item, null, tx.nowMillis()));
    }
}
