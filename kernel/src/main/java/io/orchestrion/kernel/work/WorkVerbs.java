package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.idempotency.Idempotency;
import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.Reservation;
import io.orchestrion.kernel.idempotency.StoredAnswer;
import io.orchestrion.kernel.outbox.Outbox;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.plan.Quotas;
import io.orchestrion.kernel.plan.Quotas.ClaimRoom;
import io.orchestrion.kernel.plan.Standings;
import io.orchestrion.kernel.signals.Signals;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.kernel.work.WorkSql.OutcomeRow;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// The verbs on work inside an open transaction: lock, decide, write, tell. The only code that
/// writes a state. Doors come through [Work], which combines their calls; engines call these from
/// within their own transactions.
public final class WorkVerbs {
    private final Ids ids;
    private final RetentionRule retention;
    private final Standings standings;
    private final Quotas quotas;
    private final Owners owners;
    private final Outbox outbox;
    private final Idempotency idempotency;
    private final ClaimMarks marks;
    private final LimitedKinds limits = new LimitedKinds();
    private final WakeSink wake;
    private final WorkSignals signals;
    private final ParentEnds parentEnds = new ParentEnds();
    private final ItemLog log;
    private final Map<String, WorkDecider> deciders = new HashMap<>();

    public WorkVerbs(
            Ids ids,
            RetentionRule retention,
            Standings standings,
            Quotas quotas,
            Owners owners,
            Outbox outbox,
            Idempotency idempotency,
            ClaimMarks marks,
            WakeSink wake,
            Signals signals) {
        this.ids = ids;
        this.retention = retention;
        this.standings = standings;
        this.quotas = quotas;
        this.owners = owners;
        this.outbox = outbox;
        this.idempotency = idempotency;
        this.marks = marks;
        this.wake = wake;
        this.signals = new WorkSignals(signals);
        this.log = new ItemLog(ids, wake);
        for (Profile profile : Profiles.ALL) {
            deciders.put(profile.name(), new WorkDecider(profile, retention, ids.random()));
        }
    }

    Ids ids() {
        return ids;
    }

    ClaimMarks marks() {
        return marks;
    }

    LimitedKinds limits() {
        return limits;
    }

    ParentEnds parentEnds() {
        return parentEnds;
    }

    WorkSignals signals() {
        return signals;
    }

    /// What items that keep a log have in it.
    ItemLog log() {
        return log;
    }

    Quotas quotas() {
        return quotas;
    }

    /// How much an account may still claim from a queue: no end of it where no plan counts.
    ClaimRoom claimRoom(Tx tx, UUID account, String queue) throws SQLException {
        boolean metered =
                Profiles.ALL.stream()
                        .anyMatch(profile -> profile.metered() && profile.queue().equals(queue));
        return metered ? quotas.claimRoom(tx, account, queue) : ClaimRoom.UNLIMITED;
    }

    /// When an item of this profile that ends now may be purged.
    @Nullable Long purgeAfterMs(Tx tx, UUID account, Profile profile) throws SQLException {
        return retention.purgeAfterMs(profile, planOf(tx, account), tx.nowMillis());
    }

    private Plan planOf(Tx tx, UUID account) throws SQLException {
        return standings.of(tx, account).at(tx.nowMillis());
    }

    /// Hands in work of one account. The answers are in the order of the submissions.
    public List<Submitted> submit(Tx tx, UUID account, List<Submission> submissions)
            throws SQLException {
        return new SubmitRound(this, idempotency, tx, account, submissions).run();
    }

    /// Takes a key for something that is no single item, or says what it was used for.
    Reservation reserve(Tx tx, UUID account, IdempotencyKey key) throws SQLException {
        return idempotency
                .reserve(
                        tx,
                        account,
                        List.of(
                                new Idempotency.Claim(
                                        key,
                                        ids.next(tx.nowMillis()),
                                        new StoredAnswer(200, "{}"))))
                .getFirst();
    }

    /// Claims the next items of each wanted kind, for several claimers of one account and queue.
    public List<Claimed> claim(Tx tx, UUID account, String queue, List<ClaimRequest> requests)
            throws SQLException {
        return new KeyedClaims(tx, account)
                .run(requests, fresh -> new ClaimRound(this, tx, account, queue, fresh).run());
    }

    /// Carries out one command for each order; the orders are of one account and name different
    /// items.
    public List<Ack> execute(Tx tx, UUID account, List<Order> orders) throws SQLException {
        List<UUID> wanted = orders.stream().map(Order::id).toList();
        lockOwners(tx, account, wanted);
        Map<UUID, WorkItem> locked = WorkSql.lock(tx, account, wanted, true);
        Plan plan = planOf(tx, account);
        var claims = NamedClaims.of(tx, account, orders, locked);
        var decisions = new ArrayList<Decision>();
        Set<UUID> stillWait = Dependencies.waive(tx, account, orders, locked);
        for (Order order : orders) {
            WorkItem item = locked.get(order.id());
            decisions.add(
                    stillWait.contains(order.id()) && item != null
                            ? decideOn(tx, item, new Command.Release(true))
                            : decide(item, order, plan, tx.nowMillis()));
        }
        claims.hold(orders, decisions);
        write(tx, account, orders, decisions);
        Repeats.keep(tx, account, orders, decisions);
        return Repeats.known(tx, account, orders, locked, Acks.of(tx, account, orders, decisions));
    }

    /// The answer that was given to the first request with this key; null when there is none yet.
    public @Nullable Submitted replay(Tx tx, UUID account, IdempotencyKey key) throws SQLException {
        Reservation known = idempotency.peek(tx, account, key);
        return known == null ? null : SubmitRound.notOurs(known);
    }

    /// Owners are locked before their items, everywhere, or two verbs could wait for each other
    /// both ways. An item's owner never changes, so reading it without a lock is safe.
    private void lockOwners(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        if (!owners.isEmpty()) {
            owners.lock(tx, account, WorkSql.ownersOf(tx, account, ids).values());
        }
    }

    /// Locks items of one account before several commands on them, in the one order of all.
    void lockAll(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        lockOwners(tx, account, ids);
        WorkSql.lock(tx, account, ids, true);
    }

    private Decision decide(@Nullable WorkItem item, Order order, Plan plan, long nowMs) {
        if (item == null || !item.queue().equals(order.profile().queue())) {
            return new Decision.Refuse(new Refusal.NotFound());
        }
        boolean ownersAlone =
                switch (order.command()) {
                    case Command.Cancel _,
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
                            Command.Expire _ ->
                            false;
                };
        if (ownersAlone) {
            return new Decision.Refuse(new Refusal.Managed(item));
        }
        if (order.command() instanceof Command.Release
                && item.ifParentFails() != null
                && item.waitReason() == WaitReason.DEPENDENCY) {
            // Only the parents themselves end this wait.
            return new Decision.Refuse(new Refusal.WrongState(item));
        }
        return deciderOf(item).under(plan).decide(item, order.command(), nowMs);
    }

    /// What a command of the kernel's own does to a locked item.
    Decision decideOn(Tx tx, WorkItem item, Command command) throws SQLException {
        Plan plan = planOf(tx, item.accountId());
        return deciderOf(item).under(plan).decide(item, command, tx.nowMillis());
    }

    private WorkDecider deciderOf(WorkItem item) {
        WorkDecider decider = deciders.get(item.profile());
        if (decider == null) {
            throw new IllegalStateException("no profile " + item.profile());
        }
        return decider;
    }

    private void write(Tx tx, UUID account, List<Order> orders, List<Decision> decisions)
            throws SQLException {
        var touched = new ArrayList<Step>();
        var outcomes = new ArrayList<OutcomeRow>();
        int longest = 0;
        for (int i = 0; i < orders.size(); i++) {
            switch (decisions.get(i)) {
                case Decision.Change change -> {
                    longest = Math.max(longest, change.steps().size());
                    if (orders.get(i).command() instanceof Command.Complete complete) {
                        keepOutcome(outcomes, orders.get(i).id(), complete);
                    }
                }
                case Decision.Touch(var after) ->
                        touched.add(new Step(WorkEvent.LEASE, after, after));
                case Decision.Nothing _, Decision.Refuse _ -> {}
            }
        }
        if (!touched.isEmpty()) {
            WorkSql.apply(tx, account, touched);
            log.heartbeats(tx, account, touched.stream().map(Step::after).toList());
        }
        // The database checks each change by itself, so an item's second step is a second write.
        for (int place = 0; place < longest; place++) {
            var steps = new ArrayList<Step>();
            for (Decision decision : decisions) {
                if (decision instanceof Decision.Change change && change.steps().size() > place) {
                    steps.add(change.steps().get(place));
                }
            }
            writeSteps(tx, account, steps);
        }
        WorkSql.keepOutcomes(tx, account, outcomes);
        var ended = new ArrayList<Step>();
        for (Decision decision : decisions) {
            if (decision instanceof Decision.Change change) {
                change.steps().stream()
                        .filter(step -> step.after().state().ended())
                        .forEach(ended::add);
            }
        }
        owners.ended(tx, this, account, ended);
    }

    /// Writes changes that were decided already; of one item's several, each by itself.
    void writeDecided(Tx tx, UUID account, List<Step> steps) throws SQLException {
        Rounds.run(
                steps,
                step -> List.of(step.after().id()),
                round -> {
                    writeSteps(tx, account, round);
                    return round;
                });
    }

    private static void keepOutcome(List<OutcomeRow> outcomes, UUID id, Command.Complete complete) {
        if (complete.result() != null || complete.outputRef() != null) {
            outcomes.add(new OutcomeRow(id, complete.result(), complete.outputRef()));
        }
    }

    private void writeSteps(Tx tx, UUID account, List<Step> steps) throws SQLException {
        WorkSql.apply(tx, account, steps);
        List<EventRow> events = steps.stream().filter(Step::tells).map(EventRow::of).toList();
        List<WorkItem> items = steps.stream().map(Step::after).toList();
        tell(tx, account, items, events);
        parentEnds.note(tx, account, items);
        wakeFor(tx, items);
        for (Step step : steps) {
            if (step.before().state().held() && !step.after().state().held()) {
                wakeForSlot(tx, step.after());
            }
        }
    }

    /// Writes to the log what the items' own histories have, and what the outbox's subscribers want
    /// of it.
    void tell(Tx tx, UUID account, List<WorkItem> items, List<EventRow> events)
            throws SQLException {
        ChunkSql.insert(tx, account, events);
        log.happened(tx, account, events);
        events.stream()
                .map(EventRow::queue)
                .distinct()
                .forEach(
                        queue -> {
                            tx.afterCommit(() -> wake.happened(account, queue));
                            signals.happened(tx, account, queue, events);
                        });
        if (outbox.isEmpty()) {
            return;
        }
        var profiles = new HashMap<UUID, String>();
        items.forEach(item -> profiles.put(item.id(), item.profile()));
        List<Outbox.Notice> notices =
                events.stream()
                        .map(
                                event ->
                                        new Outbox.Notice(
                                                event.workId(),
                                                profiles.getOrDefault(event.workId(), ""),
                                                event.event().word(),
                                                event.seq()))
                        .toList();
        outbox.write(tx, account, notices, ids::next);
    }

    void wakeForNew(Tx tx, List<WorkItem> items) {
        for (WorkItem item : items) {
            if (item.state() == WorkState.READY) {
                tx.afterCommit(() -> wake.created(item.accountId(), item.queue(), item.kind(), 1));
            }
        }
    }

    void wakeForFit(Tx tx, WorkItem item, Requirements requirements) {
        if (item.state() == WorkState.READY) {
            tx.afterCommit(
                    () -> wake.fits(item.accountId(), item.queue(), item.kind(), requirements));
        }
    }

    void wakeFor(Tx tx, List<WorkItem> items) {
        for (WorkItem item : items) {
            if (item.state() == WorkState.READY) {
                tx.afterCommit(() -> wake.ready(item.accountId(), item.queue(), item.kind(), 1));
            }
        }
    }

    void wakeFor(Tx tx, UUID account, String queue, String kind, int count) {
        if (count > 0) {
            tx.afterCommit(() -> wake.ready(account, queue, kind, count));
        }
    }

    /// The slot that an item held may be what somebody waits for. One that goes back to the queue
    /// wakes somebody anyway.
    void wakeForSlot(Tx tx, WorkItem left) {
        if (left.keys().concurrency() != null && left.state() != WorkState.READY) {
            tx.afterCommit(() -> wake.ready(left.accountId(), left.queue(), left.kind(), 1));
        }
    }

    /// Makes due items of one account's queue ready; returns how many.
    public int promoteDue(Tx tx, UUID account, String queue, List<String> kinds, int most)
            throws SQLException {
        return promote(tx, account, queue, kinds, most).promotions().size();
    }

    /// The same, for a claim, which has to know which of the kinds are claimed key by key.
    PromotionSql.Promoted promote(Tx tx, UUID account, String queue, List<String> kinds, int most)
            throws SQLException {
        PromotionSql.Promoted promoted = PromotionSql.promoteDue(tx, account, queue, kinds, most);
        tellPromoted(tx, account, queue, promoted.promotions());
        return promoted;
    }

    void tellPromoted(Tx tx, UUID account, String queue, List<PromotionSql.Promotion> promotions)
            throws SQLException {
        var events = new ArrayList<EventRow>();
        for (PromotionSql.Promotion promotion : promotions) {
            tx.afterCommit(() -> wake.ready(account, queue, promotion.kind(), 1));
            if (promotion.shown()) {
                events.add(
                        new EventRow(
                                promotion.id(),
                                queue,
                                promotion.eventSeq(),
                                promotion.eventMs(),
                                WorkEvent.PROMOTE,
                                WorkState.WAITING,
                                WorkState.READY,
                                promotion.attempt(),
                                promotion.leaseNumber(),
                                null,
                                null,
                                promotion.kind(),
                                promotion.left(),
                                promotion.eventMs(),
                                promotion.trace()));
            }
        }
        tell(tx, account, List.of(), events);
    }

    /// Ends the lapsed leases among the candidates; returns how many were ended. Those that a
    /// heartbeat renewed meanwhile are put off to their new end; those that somebody else is
    /// writing are left to the next sweep.
    public int expire(Tx tx, UUID account, List<UUID> candidates) throws SQLException {
        lockOwners(tx, account, candidates);
        Map<UUID, WorkItem> locked = WorkSql.lock(tx, account, candidates, false);
        List<UUID> renewed =
                locked.values().stream()
                        .filter(item -> item.leaseLive(tx.nowMillis()))
                        .map(WorkItem::id)
                        .toList();
        // Another node may have ended some between the look and the lock; they are not ours to
        // count.
        locked.values().removeIf(item -> !item.leaseExpired(tx.nowMillis()));
        List<Ack> acks = executeOn(tx, account, locked.values(), new Command.Expire());
        if (!renewed.isEmpty()) {
            SweepSql.lookAgainLater(tx, account, renewed);
        }
        return acks.size();
    }

    /// One command for every open item of an owner, as an engine pauses, resumes or cancels. The
    /// caller holds the owner's lock.
    public List<Ack> executeForOwner(Tx tx, UUID account, OwnerRef owner, Command command)
            throws SQLException {
        List<UUID> open = WorkSql.openIdsOf(tx, account, owner);
        return executeOn(tx, account, WorkSql.lock(tx, account, open, true).values(), command);
    }

    private List<Ack> executeOn(Tx tx, UUID account, Collection<WorkItem> locked, Command command)
            throws SQLException {
        var orders = new ArrayList<Order>();
        var decisions = new ArrayList<Decision>();
        Plan plan = planOf(tx, account);
        for (WorkItem item : locked) {
            Profile profile = Profiles.named(item.profile());
            orders.add(new Order(account, profile, item.id(), command, false));
            decisions.add(deciderOf(item).under(plan).decide(item, command, tx.nowMillis()));
        }
        write(tx, account, orders, decisions);
        return Acks.of(tx, account, orders, decisions);
    }

    /// Removes ended items whose time is over, with all that hangs on them; returns how many. Those
    /// that a longer plan, bought since they ended, would keep are put off instead. The plan is
    /// read anew: what is deleted is gone.
    public int purge(Tx tx, UUID account, int most) throws SQLException {
        Plan plan = standings.fresh(tx, account).at(tx.nowMillis());
        long keptMs = 0;
        for (Profile profile : Profiles.ALL) {
            Long until = retention.purgeAfterMs(profile, plan, tx.nowMillis());
            if (profile.metered() && until != null) {
                keptMs = Math.max(keptMs, until - tx.nowMillis());
            }
        }
        return RetentionSql.keepLonger(tx, account, keptMs, most)
                + RetentionSql.purge(tx, account, keptMs, most);
    }

    /// Removes those of the items that are of the profile and have ended, whether or not their time
    /// is over, with all that hangs on them; returns how many.
    public int remove(Tx tx, UUID account, Profile profile, List<UUID> ids) throws SQLException {
        lockAll(tx, account, ids);
        return RetentionSql.remove(tx, account, profile, ids);
    }
}
