package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

/// What changes together in an item, for the decider.
final class Drafts {
    private Drafts() {}

    static @Nullable Long deadline(WorkItem item, long nowMs) {
        return item.timeoutMs() == null ? null : nowMs + item.timeoutMs();
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

    static void reviveEnded(WorkDraft draft) {
        draft.finishedMs = null;
        draft.purgeAfterMs = null;
        draft.holder = null;
        draft.claimedMs = null;
        draft.heartbeatMs = null;
        draft.cancelRequested = false;
    }
}
