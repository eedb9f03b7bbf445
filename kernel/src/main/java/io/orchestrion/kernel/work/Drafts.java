package io.orchestrion.kernel.work;

import io.orchestrion.kernel.work.Profile.LeaseSource;

import org.jspecify.annotations.Nullable;

/// What changes together in an item, for the decider.
final class Drafts {
    private Drafts() {}

    static @Nullable Long deadline(WorkItem item, long nowMs) {
        return item.timeoutMs() == null ? null : nowMs + item.timeoutMs();
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

    static void reviveEnded(WorkDraft draft) {
        draft.finishedMs = null;
        draft.purgeAfterMs = null;
        draft.holder = null;
        draft.claimedMs = null;
        draft.heartbeatMs = null;
        draft.cancelRequested = false;
    }
}
