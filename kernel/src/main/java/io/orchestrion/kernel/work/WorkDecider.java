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
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// Decides what a command does to an item. Pure: the item, the time and the randomness come in, a
/// decision goes out, and the same in gives the same out. Every change it makes is a row of the
/// profile's table, or it throws.
final class WorkDecider {
    static final String LEASE_EXPIRED = WorkFailures.LEASE_EXPIRED;
    static final String TIMED_OUT = WorkFailures.TIMED_OUT;

    private final Profile profile;
    private final RetentionRule retention;
    private final Plan plan;
    private final RandomGenerator random;
    private final TransitionTable<WorkState, WorkEvent> table;

    WorkDecider(Profile profile, RetentionRule retention, RandomGenerator random) {
        this(profile, retention, Plan.UNLIMITED, random, profile.lifecycle());
    }

    private WorkDecider(
            Profile profile,
            RetentionRule retention,
            Plan plan,
            RandomGenerator random,
            TransitionTable<WorkState, WorkEvent> table) {
        this.profile = profile;
        this.retention = retention;
        this.plan = plan;
        this.random = random;
        this.table = table;
    }

    /// The same, for items of an account on that plan.
    WorkDecider under(Plan other) {
        return new WorkDecider(profile, retention, other, random, table);
    }

    Decision decide(WorkItem item, Command command, long nowMs) {
        return switch (command) {
            case Command.Lease lease -> lease(item, lease, nowMs);
            case Command.Start(Fence fence) -> start(item, fence, nowMs);
            case Command.Heartbeat beat -> heartbeat(item, beat, nowMs);
            case Command.Complete complete ->
                    asHolder(
                            item,
                            complete.fence(),
                            nowMs,
                            (held, now) -> complete(held, complete, now));
            case Command.Fail fail ->
                    asHolder(item, fail.fence(), nowMs, (held, now) -> fail(held, fail, now));
            case Command.TimeOut(Fence fence) -> timeOut(item, fence, nowMs);
            case Command.Expire _ -> expire(item, nowMs);
            case Command.Cancel(boolean force) -> cancel(item, force, nowMs);
            case Command.Withdraw(String reason) -> withdraw(item, reason, nowMs);
            case Command.Reopen _ -> reopen(item, nowMs);
            case Command.Retry(var delayMs) -> retry(item, delayMs, nowMs);
            case Command.Hold(var why) -> hold(item, why, nowMs);
            case Command.Release(boolean toDependency) -> release(item, toDependency, nowMs);
        };
    }

    private Decision lease(WorkItem item, Command.Lease lease, long nowMs) {
        var steps = new ArrayList<Step>();
        WorkItem current = item;
        if (current.leaseExpired(nowMs)) {
            // The expiry comes first, in the same transaction, and then the claim meets whatever
            // the expiry left.
            current = add(steps, expired(current, nowMs));
        }
        if (current.due(nowMs)) {
            current = add(steps, promoted(current, nowMs));
        }
        return switch (current.state()) {
            case READY -> {
                add(steps, leased(current, lease, nowMs));
                yield new Decision.Change(steps, null);
            }
            case WAITING -> refuseAfter(steps, new Refusal.NotReady(current));
            case LEASED, RUNNING -> new Decision.Refuse(new Refusal.Held(current));
            case SUCCEEDED, FAILED, DEAD, CANCELLED ->
                    refuseAfter(steps, new Refusal.WrongState(current));
        };
    }

    /// An expiry that was found on the way is written even when the command is then refused: the
    /// answer speaks of the state that it left.
    private static Decision refuseAfter(List<Step> steps, Refusal refusal) {
        return steps.isEmpty() ? new Decision.Refuse(refusal) : new Decision.Change(steps, refusal);
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
                step(
                        item,
                        WorkEvent.START,
                        RUNNING,
                        nowMs,
                        draft -> {
                            draft.deadlineMs = Drafts.deadline(item, nowMs);
                            Drafts.renew(draft, nowMs);
                        }));
    }

    private Decision heartbeat(WorkItem item, Command.Heartbeat beat, long nowMs) {
        Refusal refusal =
                beat.fence().refusal(item, item.state() == LEASED ? LEASED : RUNNING, nowMs);
        if (refusal != null) {
            return new Decision.Refuse(refusal);
        }
        WorkDraft draft = item.draft();
        draft.leaseSeconds = Drafts.seconds(profile, item, beat.leaseSeconds());
        Drafts.renew(draft, nowMs);
        if (profile.keepsLog()) {
            // Its log has a line for it, which needs a time of its own.
            draft.eventMs = Math.max(nowMs, item.eventMs() + 1);
        }
        draft.heartbeatMs = nowMs;
        // Strictly later, so that a reader who compares update times sees every heartbeat.
        draft.updatedMs = Math.max(nowMs, item.updatedMs() + 1);
        return new Decision.Touch(draft.build());
    }

    /// A verb of the holder on started work.
    private interface HolderVerb {
        Step apply(WorkItem held, long nowMs);
    }

    private Decision asHolder(WorkItem item, Fence fence, long nowMs, HolderVerb verb) {
        Refusal refusal = fence.refusal(item, RUNNING, nowMs);
        return refusal == null ? change(verb.apply(item, nowMs)) : new Decision.Refuse(refusal);
    }

    private Step complete(WorkItem item, Command.Complete complete, long nowMs) {
        return step(
                item,
                WorkEvent.COMPLETE,
                SUCCEEDED,
                nowMs,
                draft -> {
                    end(draft, nowMs);
                    draft.settled = complete.settles();
                });
    }

    private Step fail(WorkItem item, Command.Fail fail, long nowMs) {
        String reason = fail.reason() == null ? "failed without a reason" : fail.reason();
        if (item.cancelRequested()) {
            return stopped(item, reason, fail.settles(), nowMs);
        }
        boolean retried =
                profile.onFailure() != OnFailure.FAIL
                        && (profile.onFailure() == OnFailure.RETRY_OR_DIE || fail.retryable());
        long delayMs =
                fail.delayMs() != null
                        ? fail.delayMs()
                        : profile.backoff().delayMillis(item.attempt(), random);
        WorkState to =
                retried
                        ? item.attempt() >= item.maxAttempts()
                                ? DEAD
                                : delayMs > 0 ? WAITING : READY
                        : FAILED;
        return step(
                item,
                WorkEvent.FAIL,
                to,
                nowMs,
                draft -> {
                    letGo(draft, item, to, delayMs, reason, nowMs);
                    draft.settled = fail.settles();
                });
    }

    /// Its holder was asked to stop, and has, or is gone: nobody is to begin it again.
    private Step stopped(WorkItem item, String reason, @Nullable Settled settled, long nowMs) {
        return step(
                        item,
                        WorkEvent.CANCEL,
                        CANCELLED,
                        nowMs,
                        draft -> {
                            letGo(draft, item, CANCELLED, 0, reason, nowMs);
                            draft.settled = settled;
                        })
                .saying(reason);
    }

    private Decision expire(WorkItem item, long nowMs) {
        return item.leaseExpired(nowMs) ? change(expired(item, nowMs)) : new Decision.Nothing(item);
    }

    private Step expired(WorkItem item, long nowMs) {
        if (item.state() == LEASED) {
            // It never began, so the attempt that the lease counted is given back.
            return step(
                    item,
                    WorkEvent.EXPIRE,
                    READY,
                    nowMs,
                    draft -> {
                        letGo(draft, item, READY, 0, LEASE_EXPIRED, nowMs);
                        draft.attempt = item.attempt() - 1;
                    });
        }
        boolean overTime = item.deadlineMs() != null && item.deadlineMs() <= nowMs;
        if (item.cancelRequested()) {
            return stopped(item, overTime ? TIMED_OUT : LEASE_EXPIRED, null, nowMs);
        }
        WorkState to = overTime ? afterTimeOut() : afterExpiry(item);
        long delayMs = to == WAITING ? profile.backoff().delayMillis(item.attempt(), random) : 0;
        return step(
                item,
                overTime ? WorkEvent.TIME_OUT : WorkEvent.EXPIRE,
                to,
                nowMs,
                draft ->
                        letGo(
                                draft,
                                item,
                                to,
                                delayMs,
                                overTime ? TIMED_OUT : LEASE_EXPIRED,
                                nowMs));
    }

    /// The attempt's deadline ends its lease too, so that a holder that stops at the very deadline
    /// comes too late by a moment: what the sweeper would do is done at once.
    private Decision timeOut(WorkItem item, Fence fence, long nowMs) {
        return item.state() == RUNNING && fence.fits(item) && item.leaseExpired(nowMs)
                ? expire(item, nowMs)
                : asHolder(item, fence, nowMs, this::timedOut);
    }

    /// By the holder's word, whose own clock said so before the lease's end did.
    private Step timedOut(WorkItem item, long nowMs) {
        if (item.cancelRequested()) {
            return stopped(item, TIMED_OUT, null, nowMs);
        }
        WorkState to = afterTimeOut();
        return step(
                item,
                WorkEvent.TIME_OUT,
                to,
                nowMs,
                draft -> letGo(draft, item, to, 0, TIMED_OUT, nowMs));
    }

    private WorkState afterTimeOut() {
        return profile.onFailure() == OnFailure.FAIL ? FAILED : DEAD;
    }

    private WorkState afterExpiry(WorkItem item) {
        return switch (profile.onExpiry()) {
            case FAIL -> FAILED;
            case TAKE_OVER -> READY;
            case RETRY_OR_DIE ->
                    item.attempt() >= item.maxAttempts()
                            ? DEAD
                            : profile.backoff().delays() ? WAITING : READY;
        };
    }

    /// By force a held item is over at once, live lease or not: its holder learns of it when it is
    /// refused next.
    private Decision cancel(WorkItem item, boolean force, long nowMs) {
        var steps = new ArrayList<Step>();
        WorkItem current = item;
        if (current.leaseExpired(nowMs) && !cancels(current, force)) {
            current = add(steps, expired(current, nowMs));
        }
        WorkItem target = current;
        if (table.allows(target.state(), WorkEvent.ASK_CANCEL) && !cancels(target, force)) {
            return target.cancelRequested()
                    ? new Decision.Nothing(target)
                    : change(
                            step(
                                    target,
                                    WorkEvent.ASK_CANCEL,
                                    target.state(),
                                    nowMs,
                                    draft -> draft.cancelRequested = true));
        }
        if (!cancels(target, force)) {
            return refuseAfter(
                    steps,
                    target.state().held()
                            ? new Refusal.Held(target)
                            : new Refusal.WrongState(target));
        }
        add(steps, step(target, WorkEvent.CANCEL, CANCELLED, nowMs, draft -> end(draft, nowMs)));
        return new Decision.Change(steps, null);
    }

    /// Only what nobody has begun.
    private Decision withdraw(WorkItem item, String reason, long nowMs) {
        if (item.state() != WAITING && item.state() != READY) {
            return new Decision.Refuse(new Refusal.WrongState(item));
        }
        Step step =
                step(
                        item,
                        WorkEvent.CANCEL,
                        CANCELLED,
                        nowMs,
                        draft -> {
                            end(draft, nowMs);
                            draft.failedMs = nowMs;
                            draft.failure = reason;
                        });
        return change(step.saying(reason));
    }

    private boolean cancels(WorkItem item, boolean force) {
        return table.allows(item.state(), WorkEvent.CANCEL)
                && (profile.cancelFrom().contains(item.state())
                        || (force && profile.forcedCancelFrom().contains(item.state())));
    }

    private Decision reopen(WorkItem item, long nowMs) {
        if (!table.allows(item.state(), WorkEvent.REOPEN)) {
            return new Decision.Refuse(new Refusal.WrongState(item));
        }
        return change(
                step(
                        item,
                        WorkEvent.REOPEN,
                        READY,
                        nowMs,
                        draft -> {
                            draft.attempt = 0;
                            draft.runAtMs = null;
                            Drafts.reviveEnded(draft);
                        }));
    }

    private Decision retry(WorkItem item, @Nullable Long asked, long nowMs) {
        if (!table.allows(item.state(), WorkEvent.RETRY)
                || item.retries() + 1 >= item.maxAttempts()) {
            return new Decision.Refuse(new Refusal.WrongState(item));
        }
        long delayMs =
                asked != null ? asked : profile.backoff().delayMillis(item.retries() + 1, random);
        WorkState to = delayMs > 0 ? WAITING : READY;
        return change(
                step(
                        item,
                        WorkEvent.RETRY,
                        to,
                        nowMs,
                        draft -> {
                            draft.retries = item.retries() + 1;
                            if (to == WAITING) {
                                draft.waitReason = WaitReason.BACKOFF;
                                draft.runAtMs = nowMs + delayMs;
                            }
                            Drafts.reviveEnded(draft);
                        }));
    }

    private Decision hold(WorkItem item, @Nullable String why, long nowMs) {
        if (item.waitReason() == WaitReason.HOLD) {
            return new Decision.Nothing(item);
        }
        if (!table.allows(item.state(), WorkEvent.HOLD)) {
            return new Decision.Refuse(
                    item.state().held() ? new Refusal.Held(item) : new Refusal.WrongState(item));
        }
        Step step =
                step(
                        item,
                        WorkEvent.HOLD,
                        WAITING,
                        nowMs,
                        draft -> draft.waitReason = WaitReason.HOLD);
        return change(step.saying(why));
    }

    /// Back to what it would be without the hold: a time still ahead is waited for again.
    private Decision release(WorkItem item, boolean toDependency, long nowMs) {
        if (!table.allows(item.state(), WorkEvent.RELEASE)
                || (item.waitReason() != WaitReason.HOLD
                        && item.waitReason() != WaitReason.DEPENDENCY)) {
            return new Decision.Refuse(new Refusal.WrongState(item));
        }
        boolean ahead = item.runAtMs() != null && item.runAtMs() > nowMs;
        return change(
                step(
                        item,
                        WorkEvent.RELEASE,
                        ahead || toDependency ? WAITING : READY,
                        nowMs,
                        draft ->
                                draft.waitReason =
                                        toDependency
                                                ? WaitReason.DEPENDENCY
                                                : ahead ? WaitReason.SCHEDULE : null));
    }

    private Step promoted(WorkItem item, long nowMs) {
        return step(item, WorkEvent.PROMOTE, READY, nowMs, draft -> draft.waitReason = null);
    }

    private Step leased(WorkItem item, Command.Lease lease, long nowMs) {
        WorkState to = profile.startWithLease() ? RUNNING : LEASED;
        return step(
                item,
                WorkEvent.LEASE,
                to,
                nowMs,
                draft -> {
                    draft.attempt = item.attempt() + 1;
                    draft.leaseNumber = item.leaseNumber() + 1;
                    draft.leaseToken = lease.token();
                    draft.holder = lease.holder();
                    draft.claimedMs = nowMs;
                    draft.heartbeatMs = null;
                    draft.leaseSeconds = Drafts.seconds(profile, item, lease.leaseSeconds());
                    draft.deadlineMs = to == RUNNING ? Drafts.deadline(item, nowMs) : null;
                    Drafts.renew(draft, nowMs);
                });
    }

    /// The lease ends; the item goes back, waits or is over.
    private void letGo(
            WorkDraft draft, WorkItem item, WorkState to, long delayMs, String why, long nowMs) {
        draft.failedMs = nowMs;
        draft.failure = why;
        if (to.ended()) {
            end(draft, nowMs);
            return;
        }
        Drafts.goBack(draft, to, nowMs + delayMs);
    }

    private void end(WorkDraft draft, long nowMs) {
        Drafts.dropLease(draft);
        draft.waitReason = null;
        draft.finishedMs = nowMs;
        draft.purgeAfterMs = retention.purgeAfterMs(profile, plan, nowMs);
    }

    /// The one place where a state is set; it refuses what the table does not have.
    private Step step(
            WorkItem item, WorkEvent event, WorkState to, long nowMs, Consumer<WorkDraft> changes) {
        if (!table.allows(item.state(), event, to)) {
            throw new IllegalStateException(
                    profile.name() + " has no row " + item.state() + " " + event + " " + to);
        }
        WorkDraft draft = item.draft();
        draft.state = to;
        if (to != WAITING) {
            draft.waitReason = null;
        }
        changes.accept(draft);
        draft.updatedMs = Math.max(nowMs, item.updatedMs() + 1);
        if (History.shows(profile, event, item.waitReason())) {
            draft.eventSeq = item.eventSeq() + 1;
            draft.eventMs = Math.max(nowMs, item.eventMs() + 1);
            draft.stay = item.stay().after(event, item.state(), to, draft.eventMs);
        }
        return new Step(event, item, draft.build());
    }

    private static Decision change(Step step) {
        return new Decision.Change(List.of(step), null);
    }

    private static WorkItem add(List<Step> steps, Step step) {
        steps.add(step);
        return step.after();
    }
}
