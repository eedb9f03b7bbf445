package io.orchestrion.kernel.work;

import static io.orchestrion.kernel.work.WorkState.CANCELLED;
import static io.orchestrion.kernel.work.WorkState.DEAD;
import static io.orchestrion.kernel.work.WorkState.FAILED;
import static io.orchestrion.kernel.work.WorkState.LEASED;
import static io.orchestrion.kernel.work.WorkState.READY;
import static io.orchestrion.kernel.work.WorkState.WAITING;

import io.orchestrion.kernel.work.Profile.OnFailure;
import io.orchestrion.kernel.work.WorkItem.Settled;

import org.jspecify.annotations.Nullable;

import java.util.random.RandomGenerator;

/// Decides what becomes of an item when a time has run out: that of its lease, that of its attempt,
/// or the time until which it is wanted. Pure.
final class Lapses {
    private final Profile profile;
    private final RandomGenerator random;
    private final TransitionMaker maker;

    Lapses(Profile profile, RandomGenerator random, TransitionMaker maker) {
        this.profile = profile;
        this.random = random;
        this.maker = maker;
    }

    /// @param why the error of the attempt, unless the attempt's own time is over, too
    Transition expired(WorkItem item, WorkError why, long nowMs) {
        if (item.overdue(nowMs)) {
            return gaveUp(item, nowMs);
        }
        if (item.state() == LEASED) {
            // The work had not begun, so the attempt that the claim counted is given back.
            return maker.make(
                            item,
                            WorkEvent.EXPIRE,
                            READY,
                            nowMs,
                            draft -> {
                                maker.letGo(draft, READY, 0, why.message(), nowMs);
                                draft.attempts = draft.attempts.made(item.attempt() - 1);
                            })
                    .reporting(Report.of(why));
        }
        Long deadline = item.lease().deadlineMs();
        boolean overTime = deadline != null && deadline <= nowMs;
        WorkError error = overTime ? WorkError.TIMED_OUT : why;
        if (item.cancelRequested()) {
            return stopped(item, error.message(), Report.of(error), null, nowMs);
        }
        WorkState to = overTime ? afterTimeOut() : afterExpiry(item);
        long delayMs =
                to == WAITING ? profile.retries().backoff().delayMillis(item.attempt(), random) : 0;
        return maker.make(
                        item,
                        overTime ? WorkEvent.TIME_OUT : WorkEvent.EXPIRE,
                        to,
                        nowMs,
                        draft -> maker.letGo(draft, to, delayMs, error.message(), nowMs))
                .reporting(Report.of(error));
    }

    /// The holder learns of it when its next report is refused.
    Transition gaveUp(WorkItem item, long nowMs) {
        WorkState to = profile.ends().onGiveUp();
        if (to == null) {
            throw new IllegalStateException(profile.name() + " are never given up");
        }
        return maker.make(
                        item,
                        WorkEvent.GIVE_UP,
                        to,
                        nowMs,
                        draft -> maker.letGo(draft, to, 0, WorkFailures.GAVE_UP, nowMs))
                .saying(WorkFailures.GAVE_UP)
                .reporting(Report.of(WorkError.GAVE_UP));
    }

    /// The holder says that the attempt's time is over. Its own clock came to that before the lease
    /// ended.
    Transition timedOut(WorkItem item, long nowMs) {
        Report report = Report.of(WorkError.TIMED_OUT);
        if (item.cancelRequested()) {
            return stopped(item, WorkFailures.TIMED_OUT, report, null, nowMs);
        }
        WorkState to = afterTimeOut();
        return maker.make(
                        item,
                        WorkEvent.TIME_OUT,
                        to,
                        nowMs,
                        draft -> maker.letGo(draft, to, 0, WorkFailures.TIMED_OUT, nowMs))
                .reporting(report);
    }

    /// The holder was asked to stop. It has stopped or is gone, so nobody is to begin the item
    /// again.
    Transition stopped(
            WorkItem item, String reason, Report report, @Nullable Settled settled, long nowMs) {
        return maker.make(
                        item,
                        WorkEvent.CANCEL,
                        CANCELLED,
                        nowMs,
                        draft -> {
                            maker.letGo(draft, CANCELLED, 0, reason, nowMs);
                            draft.holding = draft.holding.settledBy(settled);
                        })
                .saying(reason)
                .reporting(report);
    }

    private WorkState afterTimeOut() {
        return profile.ends().onFailure() == OnFailure.FAIL ? FAILED : DEAD;
    }

    private WorkState afterExpiry(WorkItem item) {
        return switch (profile.ends().onExpiry()) {
            case FAIL -> FAILED;
            case TAKE_OVER -> READY;
            case RETRY_OR_DIE ->
                    item.attempts().usedUp()
                            ? DEAD
                            : profile.retries().backoff().delays() ? WAITING : READY;
        };
    }
}
