package io.orchestrion.kernel.work;

import static io.orchestrion.kernel.work.WorkState.CANCELLED;
import static io.orchestrion.kernel.work.WorkState.DEAD;
import static io.orchestrion.kernel.work.WorkState.FAILED;
import static io.orchestrion.kernel.work.WorkState.LEASED;
import static io.orchestrion.kernel.work.WorkState.READY;
import static io.orchestrion.kernel.work.WorkState.RUNNING;
import static io.orchestrion.kernel.work.WorkState.SUCCEEDED;
import static io.orchestrion.kernel.work.WorkState.WAITING;

import io.orchestrion.kernel.lifecycle.TransitionTable;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.work.Profile.OnFailure;
import io.orchestrion.kernel.work.WorkItem.Settled;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// Decides what a command does to an item. It is pure: it is given the item, the time and the
/// randomness, and returns a decision. The same input gives the same decision. Every change it
/// makes is a row of the profile's table, or it throws. The ends of times are decided in [Lapses],
/// cancellations in [Cancels], holds and pauses in [Holds].
public final class WorkDecider {
    static final String LEASE_EXPIRED = WorkFailures.LEASE_EXPIRED;
    static final String TIMED_OUT = WorkFailures.TIMED_OUT;

    private final Profile profile;
    private final RandomGenerator random;
    private final TransitionTable<WorkState, WorkEvent> table;
    private final TransitionMaker maker;
    private final Lapses lapses;
    private final Cancels cancels;
    private final Holds holds;

    public WorkDecider(Profile profile, RetentionRule retention, RandomGenerator random) {
        this(profile, random, profile.lifecycle(), retention);
    }

    private WorkDecider(
            Profile profile,
            RandomGenerator random,
            TransitionTable<WorkState, WorkEvent> table,
            RetentionRule retention) {
        this(
                profile,
                random,
                table,
                new TransitionMaker(profile, retention, Plan.UNLIMITED, table));
    }

    private WorkDecider(
            Profile profile,
            RandomGenerator random,
            TransitionTable<WorkState, WorkEvent> table,
            TransitionMaker maker) {
        this.profile = profile;
        this.random = random;
        this.table = table;
        this.maker = maker;
        this.lapses = new Lapses(profile, random, maker);
        this.cancels = new Cancels(profile, table, maker, lapses);
        this.holds = new Holds(profile, table, maker);
    }

    /// The same, for items of an account on that plan.
    public WorkDecider under(Plan other) {
        return new WorkDecider(profile, random, table, maker.under(other));
    }

    public Decision decide(WorkItem item, Command command, long nowMs) {
        return switch (command) {
            case Command.Lease lease -> lease(item, lease, nowMs);
            case Command.Start(Fence fence) -> start(item, fence, nowMs);
            case Command.Heartbeat beat -> heartbeat(item, beat, nowMs);
            case Command.Complete complete ->
                    orLate(
                            item,
                            complete,
                            nowMs,
                            asHolder(
                                    item,
                                    complete.fence(),
                                    nowMs,
                                    (held, now) -> complete(held, complete, now)));
            case Command.Fail fail ->
                    orLate(
                            item,
                            fail,
                            nowMs,
                            asHolder(
                                    item,
                                    fail.fence(),
                                    nowMs,
                                    (held, now) -> fail(held, fail, now)));
            case Command.TimeOut(Fence fence) -> timeOut(item, fence, nowMs);
            case Command.LetGo(Fence fence) ->
                    asHolder(
                            item,
                            fence,
                            nowMs,
                            (held, now) -> lapses.expired(held, WorkError.GIVEN_BACK, now));
            case Command.Expire _ -> expire(item, nowMs);
            case Command.GiveUp _ ->
                    item.overdue(nowMs)
                            ? change(lapses.gaveUp(item, nowMs))
                            : new Decision.Nothing(item);
            case Command.AskPause(boolean pause) -> holds.askPause(item, pause, nowMs);
            case Command.Cancel(boolean force) -> cancels.cancel(item, force, nowMs);
            case Command.Withdraw(String reason) -> cancels.withdraw(item, reason, nowMs);
            case Command.Reopen _ -> reopen(item, nowMs);
            case Command.Retry(var delayMs) -> retry(item, delayMs, nowMs);
            case Command.Hold(var why) -> holds.hold(item, why, nowMs);
            case Command.Release(boolean toDependency) -> holds.release(item, toDependency, nowMs);
        };
    }

    private Decision lease(WorkItem item, Command.Lease lease, long nowMs) {
        var transitions = new ArrayList<Transition>();
        WorkItem current = item;
        if (current.overdue(nowMs)) {
            current = add(transitions, lapses.gaveUp(current, nowMs));
        }
        if (current.leaseExpired(nowMs)) {
            // The expiry comes first, in the same transaction. The claim then goes on from the
            // state after the expiry.
            current = add(transitions, lapses.expired(current, WorkError.LEASE_EXPIRED, nowMs));
        }
        if (current.due(nowMs) && !profile.endsWhenDue()) {
            current = add(transitions, promoted(current, nowMs));
        }
        return switch (current.state()) {
            case READY -> {
                add(transitions, leased(current, lease, nowMs));
                yield new Decision.Change(transitions, null);
            }
            case WAITING -> refuseAfter(transitions, new Refusal.NotReady(current));
            case LEASED, RUNNING -> new Decision.Refuse(new Refusal.Held(current));
            case SUCCEEDED, FAILED, DEAD, CANCELLED ->
                    refuseAfter(transitions, new Refusal.WrongState(current));
        };
    }

    /// An expiry that was found on the way is written even if the command is then refused, because
    /// the answer names the state after it.
    static Decision refuseAfter(List<Transition> transitions, Refusal refusal) {
        return transitions.isEmpty()
                ? new Decision.Refuse(refusal)
                : new Decision.Change(transitions, refusal);
    }

    private Decision start(WorkItem item, Fence fence, long nowMs) {
        if (item.state() == RUNNING && fence.fits(item) && item.leaseLive(nowMs)) {
            return new Decision.Nothing(item);
        }
        Refusal refusal = fence.refusal(item, LEASED, nowMs);
        if (refusal != null) {
            return new Decision.Refuse(refusal);
        }
        return change(
                maker.make(
                        item,
                        WorkEvent.START,
                        RUNNING,
                        nowMs,
                        draft -> {
                            draft.lease =
                                    draft.lease
                                            .endingBy(Drafts.deadline(item, nowMs))
                                            .renewed(nowMs);
                        }));
    }

    private Decision heartbeat(WorkItem item, Command.Heartbeat beat, long nowMs) {
        Refusal refusal =
                beat.fence().refusal(item, item.state() == LEASED ? LEASED : RUNNING, nowMs);
        if (refusal != null) {
            return new Decision.Refuse(refusal);
        }
        WorkDraft draft = item.draft();
        int seconds = Drafts.seconds(profile, item, beat.leaseSeconds());
        draft.lease = draft.lease.lasting(seconds).renewed(nowMs);
        if (profile.keeping().log()) {
            // The item's log has a line for a heartbeat, and the line needs a time of its own.
            draft.place = draft.place.at(draft.place.nextMs(nowMs));
        }
        draft.times = draft.times.heartbeat(nowMs).updated(nowMs);
        return new Decision.Touch(draft.build());
    }

    /// A command of the holder on started work.
    private interface HolderVerb {
        Transition apply(WorkItem held, long nowMs);
    }

    private Decision asHolder(WorkItem item, Fence fence, long nowMs, HolderVerb verb) {
        Refusal refusal = fence.refusal(item, RUNNING, nowMs);
        return refusal == null ? change(verb.apply(item, nowMs)) : new Decision.Refuse(refusal);
    }

    /// A report that comes after the end of the item is kept in the history. It is refused all the
    /// same.
    private Decision orLate(WorkItem item, Command command, long nowMs, Decision decision) {
        if (!(decision instanceof Decision.Refuse(var refusal))) {
            return decision;
        }
        Transition late = LateReport.of(profile, maker, item, command, nowMs);
        return late == null ? decision : new Decision.Change(List.of(late), refusal);
    }

    private Transition complete(WorkItem item, Command.Complete complete, long nowMs) {
        return maker.make(
                        item,
                        WorkEvent.COMPLETE,
                        SUCCEEDED,
                        nowMs,
                        draft -> {
                            maker.end(draft, nowMs);
                            settle(draft, complete);
                        })
                .reporting(complete.report());
    }

    /// The owner does not accept the completion of a held item. The attempt fails, and the holder
    /// is answered why.
    public Decision reject(WorkItem item, Command.Complete said, WorkError error, long nowMs) {
        Transition transition =
                maker.make(
                                item,
                                WorkEvent.FAIL,
                                FAILED,
                                nowMs,
                                draft -> {
                                    maker.letGo(draft, FAILED, 0, error.message(), nowMs);
                                    draft.holding = draft.holding.settledBy(said.settles());
                                })
                        .reporting(
                                new Report(error, said.report().usage(), said.report().logsRef()));
        return new Decision.Change(
                List.of(transition), new Refusal.Rejected(transition.after(), error));
    }

    private Transition fail(WorkItem item, Command.Fail fail, long nowMs) {
        String reason = fail.why();
        if (item.cancelRequested()) {
            return lapses.stopped(item, reason, fail.report(), fail.settles(), nowMs);
        }
        boolean retried =
                profile.ends().onFailure() != OnFailure.FAIL
                        && (profile.ends().onFailure() == OnFailure.RETRY_OR_DIE
                                || fail.retryable());
        long delayMs =
                fail.delayMs() != null
                        ? fail.delayMs()
                        : profile.retries().backoff().delayMillis(item.attempt(), random);
        WorkState to =
                retried ? item.attempts().usedUp() ? DEAD : delayMs > 0 ? WAITING : READY : FAILED;
        return maker.make(
                        item,
                        WorkEvent.FAIL,
                        to,
                        nowMs,
                        draft -> {
                            maker.letGo(draft, to, delayMs, reason, nowMs);
                            settle(draft, fail);
                        })
                .reporting(fail.report());
    }

    private static void settle(WorkDraft draft, Command said) {
        Settled settled = said.settles();
        if (settled != null || !draft.state.ended()) {
            draft.holding = draft.holding.settledBy(settled);
        }
    }

    private Decision expire(WorkItem item, long nowMs) {
        if (profile.endsWhenDue() && item.due(nowMs)) {
            return change(
                    maker.make(
                            item,
                            WorkEvent.COMPLETE,
                            SUCCEEDED,
                            nowMs,
                            draft -> maker.end(draft, nowMs)));
        }
        return item.leaseExpired(nowMs)
                ? change(lapses.expired(item, WorkError.LEASE_EXPIRED, nowMs))
                : new Decision.Nothing(item);
    }

    /// The attempt's deadline ends its lease, too. So a holder that stops exactly at the deadline
    /// is a moment too late: then the end that the sweeper would write is written at once.
    private Decision timeOut(WorkItem item, Fence fence, long nowMs) {
        return item.state() == RUNNING && fence.fits(item) && item.leaseExpired(nowMs)
                ? expire(item, nowMs)
                : asHolder(item, fence, nowMs, lapses::timedOut);
    }

    private Decision reopen(WorkItem item, long nowMs) {
        if (!table.allows(item.state(), WorkEvent.REOPEN)) {
            return new Decision.Refuse(new Refusal.WrongState(item));
        }
        return change(
                maker.make(
                        item,
                        WorkEvent.REOPEN,
                        READY,
                        nowMs,
                        draft -> Drafts.reopen(draft, nowMs)));
    }

    private Decision retry(WorkItem item, @Nullable Long asked, long nowMs) {
        if (!table.allows(item.state(), WorkEvent.RETRY)
                || item.attempts().retries() + 1 >= item.attempts().most()) {
            return new Decision.Refuse(new Refusal.WrongState(item));
        }
        long delayMs =
                asked != null
                        ? asked
                        : profile.retries()
                                .backoff()
                                .delayMillis(item.attempts().retries() + 1, random);
        WorkState to = delayMs > 0 ? WAITING : READY;
        return change(
                maker.make(
                        item,
                        WorkEvent.RETRY,
                        to,
                        nowMs,
                        draft -> Drafts.retry(draft, to, nowMs, delayMs)));
    }

    private Transition promoted(WorkItem item, long nowMs) {
        return maker.make(
                item,
                WorkEvent.PROMOTE,
                READY,
                nowMs,
                draft -> draft.turn = draft.turn.waitingFor(null));
    }

    private Transition leased(WorkItem item, Command.Lease lease, long nowMs) {
        WorkState to = profile.claims().startWork() ? RUNNING : LEASED;
        return maker.make(
                item,
                WorkEvent.LEASE,
                to,
                nowMs,
                draft -> {
                    draft.attempts = draft.attempts.made(item.attempt() + 1);
                    draft.lease =
                            draft.lease
                                    .next(lease.token())
                                    .lasting(Drafts.seconds(profile, item, lease.leaseSeconds()))
                                    .endingBy(
                                            to == RUNNING
                                                    ? Drafts.deadline(item, nowMs)
                                                    : item.turn().giveUpMs())
                                    .renewed(nowMs);
                    draft.holding = draft.holding.by(lease.holder());
                    draft.times = draft.times.claimed(nowMs);
                });
    }

    static Decision change(Transition transition) {
        return new Decision.Change(List.of(transition), null);
    }

    static WorkItem add(List<Transition> transitions, Transition transition) {
        transitions.add(transition);
        return transition.after();
    }
}
