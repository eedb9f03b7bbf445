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

/// What becomes of an item whose time has run out: that of its lease, of its attempt or its own.
/// Pure.
final class Lapses {
    private final Profile profile;
    private final RandomGenerator random;
    private final StepMaker steps;

    Lapses(Profile profile, RandomGenerator random, StepMaker steps) {
        this.profile = profile;
        this.random = random;
        this.steps = steps;
    }

    /// @param why unless the attempt's time is over, too
    Step expired(WorkItem item, WorkError why, long nowMs) {
        if (item.overdue(nowMs)) {
            return gaveUp(item, nowMs);
        }
        if (item.state() == LEASED) {
            // It never began, so the attempt that the lease counted is given back.
            return steps.step(
                            item,
                            WorkEvent.EXPIRE,
                            READY,
                            nowMs,
                            draft -> {
                                steps.letGo(draft, READY, 0, why.message(), nowMs);
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
        return steps.step(
                        item,
                        overTime ? WorkEvent.TIME_OUT : WorkEvent.EXPIRE,
                        to,
                        nowMs,
                        draft -> steps.letGo(draft, to, delayMs, error.message(), nowMs))
                .reporting(Report.of(error));
    }

    /// Whoever holds it learns of it when it is refused next.
    Step gaveUp(WorkItem item, long nowMs) {
        WorkState to = profile.ends().onGiveUp();
        if (to == null) {
            throw new IllegalStateException(profile.name() + " are never given up");
        }
        return steps.step(
                        item,
                        WorkEvent.GIVE_UP,
                        to,
                        nowMs,
                        draft -> steps.letGo(draft, to, 0, WorkFailures.GAVE_UP, nowMs))
                .saying(WorkFailures.GAVE_UP)
                .reporting(Report.of(WorkError.GAVE_UP));
    }

    /// By the holder's word, whose own clock said so before the lease's end did.
    Step timedOut(WorkItem item, long nowMs) {
        Report report = Report.of(WorkError.TIMED_OUT);
        if (item.cancelRequested()) {
            return stopped(item, WorkFailures.TIMED_OUT, report, null, nowMs);
        }
        WorkState to = afterTimeOut();
        return steps.step(
                        item,
                        WorkEvent.TIME_OUT,
                        to,
                        nowMs,
                        draft -> steps.letGo(draft, to, 0, WorkFailures.TIMED_OUT, nowMs))
                .reporting(report);
    }

    /// Its holder was asked to stop, and has, or is gone: nobody is to begin it again.
    Step stopped(
            WorkItem item, String reason, Report report, @Nullable Settled settled, long nowMs) {
        return steps.step(
                        item,
                        WorkEvent.CANCEL,
                        CANCELLED,
                        nowMs,
                        draft -> {
                            steps.letGo(draft, CANCELLED, 0, reason, nowMs);
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
