package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.work.WorkSql.OutcomeRow;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// Commands on different items of one account: lock, decide, write, tell.
final class CommandRound {
    private final WorkVerbs verbs;
    private final Tx tx;
    private final UUID account;
    private final OwnerLocks locks;

    CommandRound(WorkVerbs verbs, Tx tx, UUID account, OwnerLocks locks) {
        this.verbs = verbs;
        this.tx = tx;
        this.account = account;
        this.locks = locks;
    }

    /// The answers in the order of the orders. One whose owner another session holds is left undone
    /// and has none.
    List<Optional<Ack>> run(List<Order> orders) throws SQLException {
        Map<UUID, WorkItem> locked = locks.lock(orders);
        List<Order> free = orders.stream().filter(order -> !locks.isBusy(order.id())).toList();
        Iterator<Ack> acks =
                free.isEmpty() ? Collections.emptyIterator() : carryOut(free, locked).iterator();
        return orders.stream()
                .map(
                        order ->
                                locks.isBusy(order.id())
                                        ? Optional.<Ack>empty()
                                        : Optional.of(acks.next()))
                .toList();
    }

    private List<Ack> carryOut(List<Order> orders, Map<UUID, WorkItem> locked) throws SQLException {
        Plan plan = verbs.planOf(tx, account);
        var claims = NamedClaims.of(tx, account, orders, locked);
        var decisions = new ArrayList<Decision>();
        Set<UUID> stillWait = Dependencies.waive(tx, account, orders, locked);
        for (Order order : orders) {
            WorkItem item = locked.get(order.id());
            decisions.add(
                    stillWait.contains(order.id()) && item != null
                            ? verbs.decideOn(tx, item, new Command.Release(true))
                            : judged(item, order, plan, decide(item, order, plan, tx.nowMillis())));
        }
        claims.hold(orders, decisions);
        write(orders, decisions);
        Repeats.keep(tx, account, orders, decisions);
        return Repeats.known(tx, account, orders, locked, Acks.of(tx, account, orders, decisions));
    }

    /// A completion that its owner rejects is a failure.
    private Decision judged(@Nullable WorkItem item, Order order, Plan plan, Decision decision)
            throws SQLException {
        if (item == null
                || !(decision instanceof Decision.Change)
                || !(order.command() instanceof Command.Complete complete)) {
            return decision;
        }
        WorkError error = verbs.judge(tx, item, complete);
        return error == null
                ? decision
                : verbs.deciderOf(item).under(plan).reject(item, complete, error, tx.nowMillis());
    }

    private Decision decide(@Nullable WorkItem item, Order order, Plan plan, long nowMs) {
        if (item == null || !item.queue().equals(order.profile().queue())) {
            return new Decision.Refuse(new Refusal.NotFound());
        }
        boolean ownersAlone =
                switch (order.command()) {
                    case Command.Cancel _,
                            Command.AskPause _,
                            Command.Withdraw _,
                            Command.Reopen _,
                            Command.Retry _,
                            Command.Hold _,
                            Command.Release _ ->
                            !item.profile().equals(order.profile().name());
                    case Command.Lease _,
                            Command.Start _,
                            Command.Heartbeat _,
                            Command.Complete _,
                            Command.Fail _,
                            Command.TimeOut _,
                            Command.LetGo _,
                            Command.GiveUp _,
                            Command.Expire _ ->
                            false;
                };
        if (ownersAlone) {
            return new Decision.Refuse(new Refusal.Managed(item, verbs.leftToOwner(item)));
        }
        if (order.command() instanceof Command.Release
                && item.links().ifParentFails() != null
                && item.waitReason() == WaitReason.DEPENDENCY) {
            // Only the parents themselves end this wait.
            return new Decision.Refuse(new Refusal.WrongState(item));
        }
        return verbs.deciderOf(item).under(plan).decide(item, order.command(), nowMs);
    }

    private void write(List<Order> orders, List<Decision> decisions) throws SQLException {
        var touched = new ArrayList<Step>();
        var beaten = new ArrayList<WorkItem>();
        var outcomes = new ArrayList<OutcomeRow>();
        int longest = 0;
        for (int i = 0; i < orders.size(); i++) {
            switch (decisions.get(i)) {
                case Decision.Change change -> {
                    longest = Math.max(longest, change.steps().size());
                    if (orders.get(i).command() instanceof Command.Complete complete
                            && change.steps().getLast().event() == WorkEvent.COMPLETE) {
                        keepOutcome(outcomes, orders.get(i).id(), complete);
                    }
                }
                case Decision.Touch(var after) -> {
                    touched.add(new Step(WorkEvent.LEASE, after, after));
                    if (orders.get(i).command() instanceof Command.Heartbeat) {
                        beaten.add(after);
                    }
                }
                case Decision.Nothing _, Decision.Refuse _ -> {}
            }
        }
        if (!touched.isEmpty()) {
            WorkSql.apply(tx, account, touched);
            verbs.log().heartbeats(tx, account, beaten);
        }
        // The database checks each change by itself, so an item's second step is a second write.
        for (int place = 0; place < longest; place++) {
            var steps = new ArrayList<Step>();
            for (Decision decision : decisions) {
                if (decision instanceof Decision.Change change && change.steps().size() > place) {
                    steps.add(change.steps().get(place));
                }
            }
            verbs.writeSteps(tx, account, steps);
        }
        WorkSql.keepOutcomes(tx, account, outcomes);
        tellOwners(orders, decisions);
    }

    /// In the order of the changes: of what a claim found lapsed, the end; of what it leased, the
    /// start.
    private void tellOwners(List<Order> orders, List<Decision> decisions) throws SQLException {
        var started = new ArrayList<WorkItem>();
        var ends = new ArrayList<WorkEnd>();
        for (int i = 0; i < orders.size(); i++) {
            if (decisions.get(i) instanceof Decision.Change(var steps, _)) {
                for (Step step : steps) {
                    WorkEnd end = WorkEnd.of(step, orders.get(i).command());
                    if (end != null) {
                        ends.add(end);
                    } else if (step.event() == WorkEvent.LEASE) {
                        started.add(step.after());
                    }
                }
            }
        }
        verbs.ended(tx, account, ends);
        verbs.started(tx, account, started);
    }

    private static void keepOutcome(List<OutcomeRow> outcomes, UUID id, Command.Complete complete) {
        if (complete.result() != null || complete.outputRef() != null) {
            outcomes.add(OutcomeRow.of(id, complete));
        }
    }

    /// One command for items that are locked, and whose owners are.
    List<Ack> onLocked(Collection<WorkItem> locked, Command command) throws SQLException {
        var orders = new ArrayList<Order>();
        var decisions = new ArrayList<Decision>();
        Plan plan = verbs.planOf(tx, account);
        for (WorkItem item : locked) {
            Profile profile = Profiles.named(item.profile());
            orders.add(new Order(account, profile, item.id(), command, false));
            decisions.add(verbs.deciderOf(item).under(plan).decide(item, command, tx.nowMillis()));
        }
        write(orders, decisions);
        return Acks.of(tx, account, orders, decisions);
    }
}
