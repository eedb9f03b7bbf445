package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.combine.Rounds;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.dependency.ParentEnds;
import io.orchestrion.kernel.history.ChunkSql;
import io.orchestrion.kernel.history.EventRow;
import io.orchestrion.kernel.history.WorkSignals;
import io.orchestrion.kernel.idempotency.Idempotency;
import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.Reservation;
import io.orchestrion.kernel.idempotency.StoredAnswer;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.plan.Quotas;
import io.orchestrion.kernel.plan.Quotas.ClaimRoom;
import io.orchestrion.kernel.plan.Standings;
import io.orchestrion.kernel.policy.Requirements;
import io.orchestrion.kernel.signals.Signals;
import io.orchestrion.kernel.verbs.WorkSql.OutcomeRow;
import io.orchestrion.kernel.wake.WakeSink;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Claimed;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Decision;
import io.orchestrion.kernel.work.Ids;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.RetentionRule;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.Transition;
import io.orchestrion.kernel.work.WorkDecider;
import io.orchestrion.kernel.work.WorkEnd;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// The verbs on work inside an open transaction: lock, decide, write, tell. Only the statements of
/// this package write states. Those that claim, promote, complete, or change all items of an owner
/// set the state themselves, and the database's guard checks it against the profile's table. All
/// others write what [WorkDecider] decided. Doors come through `Work`, which combines their calls;
/// engines call these methods in their own transactions.
public final class WorkVerbs {
    /// When the reaper looks again at leases whose owner was busy.
    private static final long BUSY_OWNER_WAIT_MS = 500;

    private final Ids ids;
    private final RetentionRule retention;
    private final Standings standings;
    private final Quotas quotas;
    private final Owners owners;
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
            Idempotency idempotency,
            ClaimMarks marks,
            WakeSink wake,
            Signals signals) {
        this.ids = ids;
        this.retention = retention;
        this.standings = standings;
        this.quotas = quotas;
        this.owners = owners;
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

    public ClaimMarks marks() {
        return marks;
    }

    LimitedKinds limits() {
        return limits;
    }

    public ParentEnds parentEnds() {
        return parentEnds;
    }

    Owners owners() {
        return owners;
    }

    WorkSignals signals() {
        return signals;
    }

    /// The logs of items that keep one.
    ItemLog log() {
        return log;
    }

    Quotas quotas() {
        return quotas;
    }

    /// How much an account may still claim from a queue. It is unlimited where no plan counts.
    ClaimRoom claimRoom(Tx tx, UUID account, String queue) throws SQLException {
        boolean metered =
                Profiles.ALL.stream()
                        .anyMatch(
                                profile ->
                                        profile.keeping().metered()
                                                && profile.queue().equals(queue));
        return metered ? quotas.claimRoom(tx, account, queue) : ClaimRoom.UNLIMITED;
    }

    /// When an item of this profile that ends now may be purged.
    @Nullable Long purgeAfterMs(Tx tx, UUID account, Profile profile) throws SQLException {
        return retention.purgeAfterMs(profile, planOf(tx, account), tx.nowMillis());
    }

    Plan planOf(Tx tx, UUID account) throws SQLException {
        return standings.of(tx, account).at(tx.nowMillis());
    }

    /// Hands in work of one account. The answers are in the order of the submissions.
    public List<Submitted> submit(Tx tx, UUID account, List<Submission> submissions)
            throws SQLException {
        return new SubmitRound(this, idempotency, tx, account, submissions).run();
    }

    /// Takes a key for a request that makes more than one item, or returns what the key was used
    /// for.
    public Reservation reserve(Tx tx, UUID account, IdempotencyKey key) throws SQLException {
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

    /// Carries out one command for each request. The requests are of one account and name different
    /// items.
    ///
    /// @throws StoreException of the kind LOCKED when an item's owner is held by another session
    public List<Ack> execute(Tx tx, UUID account, List<CommandRequest> requests)
            throws SQLException {
        return new CommandRound(this, tx, account, locks(tx, account))
                .run(requests).stream()
                        .map(ack -> ack.orElseThrow(WorkVerbs::ownerIsBusy))
                        .toList();
    }

    private static StoreException ownerIsBusy() {
        return new StoreException(
                StoreException.Kind.LOCKED, "another session holds the owner of an item");
    }

    /// The answer that was given to the first request with this key; null when there is none yet.
    public @Nullable Submitted replay(Tx tx, UUID account, IdempotencyKey key) throws SQLException {
        Reservation known = idempotency.peek(tx, account, key);
        return known == null ? null : SubmitRound.notOurs(known);
    }

    /// A sentence for people: why an item is left to its owner.
    String leftToOwner(WorkItem item) {
        return owners.words(item);
    }

    /// The locks that a transaction takes on items of one account and on their owners.
    public OwnerLocks locks(Tx tx, UUID account) {
        return new OwnerLocks(owners, tx, account);
    }

    /// Decides what a command of the kernel itself does to a locked item.
    public Decision decideOn(Tx tx, WorkItem item, Command command) throws SQLException {
        Plan plan = planOf(tx, item.accountId());
        return deciderOf(item).under(plan).decide(item, command, tx.nowMillis());
    }

    WorkDecider deciderOf(WorkItem item) {
        WorkDecider decider = deciders.get(item.profile());
        if (decider == null) {
            throw new IllegalStateException("no profile " + item.profile());
        }
        return decider;
    }

    /// Tells the owners of items that were just claimed, whichever kind of claim it was.
    void started(Tx tx, UUID account, List<WorkItem> items) throws SQLException {
        if (!owners.isEmpty()) {
            owners.started(tx, account, items);
        }
    }

    /// Writes changes that were decided already. Where an item has several, each is written by
    /// itself. No owner is told: an item with an owner has neither parents nor a unique key, see
    /// `NewWork`.
    public void writeDecided(Tx tx, UUID account, List<Transition> transitions)
            throws SQLException {
        Rounds.run(
                transitions,
                transition -> List.of(transition.after().id()),
                round -> {
                    writeTransitions(tx, account, round);
                    return round;
                });
    }

    private void writeTransitions(Tx tx, UUID account, List<Transition> transitions)
            throws SQLException {
        writeTransitions(tx, account, transitions, Map.of());
    }

    /// @param outcomes of items that a completion ends, by their ids
    void writeTransitions(
            Tx tx, UUID account, List<Transition> transitions, Map<UUID, OutcomeRow> outcomes)
            throws SQLException {
        ChangeSql.apply(tx, account, transitions, outcomes);
        List<EventRow> events =
                transitions.stream().filter(Transition::tells).map(EventRow::of).toList();
        List<WorkItem> items = transitions.stream().map(Transition::after).toList();
        tell(tx, account, events);
        parentEnds.note(
                tx,
                account,
                transitions.stream().filter(Transition::ends).map(Transition::after).toList());
        wakeFor(tx, items);
        for (Transition transition : transitions) {
            if (transition.before().state().held() && !transition.after().state().held()) {
                wakeForSlot(tx, transition.after());
            }
        }
    }

    /// Adds the new lines of the items' histories to the log. After the commit, whoever follows the
    /// log is told.
    void tell(Tx tx, UUID account, List<EventRow> events) throws SQLException {
        ChunkSql.insert(tx, account, events);
        log.happened(tx, account, events);
        events.stream()
                .map(EventRow::log)
                .distinct()
                .forEach(
                        log -> {
                            tx.afterCommit(() -> wake.happened(account, log));
                            signals.happened(tx, account, log, events);
                        });
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

    /// An item that somebody no longer holds may leave a free slot, for which a claim may wait. An
    /// item that goes back to the queue wakes a claim anyway.
    void wakeForSlot(Tx tx, WorkItem left) {
        if (left.links().keys().concurrency() != null && left.state() != WorkState.READY) {
            tx.afterCommit(() -> wake.ready(left.accountId(), left.queue(), left.kind(), 1));
        }
    }

    /// Makes due items of one account's queue ready; returns how many.
    public int promoteDue(Tx tx, UUID account, String queue, List<String> kinds, int most)
            throws SQLException {
        return promote(tx, account, queue, kinds, most).promotions().size();
    }

    /// The same for a claim, which has to know which of the kinds are claimed key by key.
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
                                // Only of these profiles are promotions shown.
                                Profiles.countedAs(queue, promotion.kind(), 0),
                                promotion.left(),
                                promotion.eventMs(),
                                promotion.trace(),
                                promotion.correlationId(),
                                null,
                                null));
            }
        }
        tell(tx, account, events);
    }

    /// Ends the expired leases among the candidates; returns how many were ended. Where a heartbeat
    /// renewed the lease meanwhile, the next look is put off to its new end. An item that another
    /// session is writing, or whose owner another session holds, is left to a later sweep.
    public int expire(Tx tx, UUID account, List<UUID> candidates) throws SQLException {
        OwnerLocks locks = locks(tx, account);
        Set<UUID> busy = locks.lockOwnersOf(candidates);
        List<UUID> free = candidates.stream().filter(id -> !busy.contains(id)).toList();
        Map<UUID, WorkItem> locked = WorkSql.lock(tx, account, free, false);
        List<UUID> renewed =
                locked.values().stream()
                        .filter(item -> item.leaseLive(tx.nowMillis()))
                        .map(WorkItem::id)
                        .toList();
        // Another node may have ended some between the look and the lock. They do not count here.
        locked.values().removeIf(item -> !item.leaseExpired(tx.nowMillis()));
        List<Ack> acks =
                new CommandRound(this, tx, account, locks)
                        .onLocked(locked.values(), new Command.Expire());
        if (!renewed.isEmpty()) {
            SweepSql.lookAgainLater(tx, account, renewed);
        }
        if (!busy.isEmpty()) {
            SweepSql.lookAgainAt(
                    tx, account, List.copyOf(busy), tx.nowMillis() + BUSY_OWNER_WAIT_MS);
        }
        return acks.size();
    }

    /// The methods that change all items of one owner.
    public OwnedItems owned() {
        return new OwnedItems(this);
    }

    /// Why owners reject completions, by the ids of the items; nothing of those that are accepted.
    Map<UUID, WorkError> judge(Tx tx, UUID account, List<WorkOwner.Completion> all)
            throws SQLException {
        return owners.judge(tx, account, all);
    }

    /// Tells the owners of items that have ended.
    void ended(Tx tx, UUID account, List<WorkEnd> ends) throws SQLException {
        owners.ended(tx, this, account, ends);
    }

    /// Removes ended items whose retention is over, with all that belongs to them; returns how
    /// many. If the account has bought a longer plan since they ended, their removal is postponed
    /// instead. The plan is read anew, because a deletion cannot be taken back.
    public int purge(Tx tx, UUID account, int most) throws SQLException {
        Plan plan = standings.fresh(tx, account).at(tx.nowMillis());
        long keptMs = 0;
        for (Profile profile : Profiles.ALL) {
            Long until = retention.purgeAfterMs(profile, plan, tx.nowMillis());
            if (profile.keeping().metered() && until != null) {
                keptMs = Math.max(keptMs, until - tx.nowMillis());
            }
        }
        return RetentionSql.keepLonger(tx, account, keptMs, most)
                + RetentionSql.purge(tx, account, keptMs, most);
    }

    /// Removes those of the items that are of the profile and have ended, whether or not their
    /// retention is over, with all that belongs to them; returns how many.
    public int remove(Tx tx, UUID account, Profile profile, List<UUID> ids) throws SQLException {
        if (!locks(tx, account).lockOwnersOf(ids).isEmpty()) {
            throw ownerIsBusy();
        }
        WorkSql.lock(tx, account, ids, true);
        return RetentionSql.remove(tx, account, profile, ids);
    }
}
