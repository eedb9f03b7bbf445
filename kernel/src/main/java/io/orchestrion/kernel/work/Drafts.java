package io.orchestrion.kernel.work;

import io.orchestrion.kernel.work.Profile.LeaseSource;

import org.jspecify.annotations.Nullable;

/// What changes together in an item, for the decider.
final class Drafts {
    private Drafts() {}

    static @Nullable Long deadline(WorkItem item, long nowMs) {
        Long timeout = item.timeoutMs();
        Long giveUp = item.giveUpMs();
        if (timeout == null) {
            return giveUp;
        }
        return giveUp == null ? nowMs + timeout : Math.min(nowMs + timeout, giveUp);
    }

    /// The length that the claimer asks for, where it is the claimer's to say.
    static int seconds(Profile profile, WorkItem item, @Nullable Integer asked) {
        return asked != null && profile.lease().source() == LeaseSource.CLAIM
                ? asked
                : item.leaseSeconds();
    }

    static void renew(WorkDraft draft, long nowMs) {
        long until = nowMs + draft.leaseSeconds * 1000L;
        Long deadline = draft.deadlineMs;
        draft.leaseUntilMs = deadline == null ? until : Math.min(until, deadline);
    }

    static void dropLease(WorkDraft draft) {
        draft.leaseToken = null;
        draft.leaseUntilMs = null;
        draft.deadlineMs = null;
    }

    /// To the queue, or to wait for it.
    static void goBack(WorkDraft draft, WorkState to, long waitUntilMs) {
        dropLease(draft);
        draft.holder = null;
        draft.claimedMs = null;
        if (to == WorkState.WAITING) {
            draft.waitReason = WaitReason.BACKOFF;
            draft.runAtMs = waitUntilMs;
        }
    }

    /// With all its attempts, at once.
    static void reopen(WorkDraft draft, long nowMs) {
        draft.attempt = 0;
        draft.runAtMs = null;
        reviveEnded(draft, nowMs);
    }

    static void retry(WorkDraft draft, WorkState to, long nowMs, long delayMs) {
        draft.retries++;
        if (to == WorkState.WAITING) {
            draft.waitReason = WaitReason.BACKOFF;
            draft.runAtMs = nowMs + delayMs;
        }
        reviveEnded(draft, nowMs);
    }

    /// Whoever wants it done after the time that it was given wants it done all the same.
    private static void reviveEnded(WorkDraft draft, long nowMs) {
        if (draft.giveUpMs != null && draft.giveUpMs <= nowMs) {
            draft.giveUpMs = null;
        }
        draft.finishedMs = null;
        draft.purgeAfterMs = null;
        draft.holder = null;
        draft.claimedMs = null;
        draft.heartbeatMs = null;
        draft.stop = StopRequest.NONE;
    }
}
