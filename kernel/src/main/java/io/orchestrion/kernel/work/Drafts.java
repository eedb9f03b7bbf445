package io.orchestrion.kernel.work;

import io.orchestrion.kernel.work.Profile.LeaseSource;

import org.jspecify.annotations.Nullable;

/// What changes together in an item, for the decider.
final class Drafts {
    private Drafts() {}

    static @Nullable Long deadline(WorkItem item, long nowMs) {
        Long timeout = item.attempts().timeoutMs();
        Long giveUp = item.turn().giveUpMs();
        if (timeout == null) {
            return giveUp;
        }
        return giveUp == null ? nowMs + timeout : Math.min(nowMs + timeout, giveUp);
    }

    /// The length that the claimer asks for, where it is the claimer's to say.
    static int seconds(Profile profile, WorkItem item, @Nullable Integer asked) {
        return asked != null && profile.lease().source() == LeaseSource.CLAIM
                ? asked
                : item.lease().seconds();
    }

    /// To the queue, or to wait for it.
    static void goBack(WorkDraft draft, WorkState to, long waitUntilMs) {
        draft.lease = draft.lease.dropped();
        draft.holding = draft.holding.by(null);
        draft.times = draft.times.unclaimed();
        if (to == WorkState.WAITING) {
            backOff(draft, waitUntilMs);
        }
    }

    /// With all its attempts, at once.
    static void reopen(WorkDraft draft, long nowMs) {
        draft.attempts = draft.attempts.made(0);
        draft.turn = draft.turn.notBefore(null);
        reviveEnded(draft, nowMs);
    }

    static void retry(WorkDraft draft, WorkState to, long nowMs, long delayMs) {
        draft.attempts = draft.attempts.retried(draft.attempts.retries() + 1);
        if (to == WorkState.WAITING) {
            backOff(draft, nowMs + delayMs);
        }
        reviveEnded(draft, nowMs);
    }

    private static void backOff(WorkDraft draft, long untilMs) {
        draft.turn = draft.turn.waitingFor(WaitReason.BACKOFF).notBefore(untilMs);
    }

    /// Whoever wants it done after the time that it was given wants it done all the same.
    private static void reviveEnded(WorkDraft draft, long nowMs) {
        Long giveUp = draft.turn.giveUpMs();
        if (giveUp != null && giveUp <= nowMs) {
            draft.turn = draft.turn.givingUpAt(null);
        }
        draft.times = draft.times.revived();
        draft.holding = draft.holding.by(null).asked(StopRequest.NONE);
    }
}
