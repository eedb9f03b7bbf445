package io.orchestrion.kernel.work;

import io.orchestrion.kernel.work.Profile.LeaseSource;

import org.jspecify.annotations.Nullable;

/// Groups of fields of an item that change together, for the decider.
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

    /// The length of the lease that the claimer asks for, where the profile lets it say one.
    static int seconds(Profile profile, WorkItem item, @Nullable Integer asked) {
        return asked != null && profile.lease().source() == LeaseSource.CLAIM
                ? asked
                : item.lease().seconds();
    }

    /// The item becomes ready, or waits until the given time.
    static void goBack(WorkDraft draft, WorkState to, long waitUntilMs) {
        draft.lease = draft.lease.dropped();
        draft.holding = draft.holding.by(null);
        draft.times = draft.times.unclaimed();
        if (to == WorkState.WAITING) {
            backOff(draft, waitUntilMs);
        }
    }

    /// The item may be tried as often as at first, beginning at once.
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

    /// A reopened item whose time was over has no such time any more: whoever reopens it wants it
    /// done.
    private static void reviveEnded(WorkDraft draft, long nowMs) {
        Long giveUp = draft.turn.giveUpMs();
        if (giveUp != null && giveUp <= nowMs) {
            draft.turn = draft.turn.givingUpAt(null);
        }
        draft.times = draft.times.revived();
        draft.holding = draft.holding.by(null).asked(StopRequest.NONE);
    }
}
