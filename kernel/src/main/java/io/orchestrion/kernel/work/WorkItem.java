package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// One row of the work table as it was read or as it will be written. Times are the database's, in
/// epoch milliseconds.
///
/// @param kind what is to be done: the door's type; claims name it
/// @param runAtMs the time before which it is not claimable, kept once passed
/// @param attempt leases granted since creation or reopening
/// @param retries retries accepted on request
/// @param leaseNumber the fence: grows with every lease, never falls
/// @param timeoutMs how long one attempt may run at the most, whatever the heartbeats say
/// @param deadlineMs when the running attempt ends for that reason, or is given up
/// @param stop what its holder is asked to do
/// @param hasDependents whether others wait for it to end
/// @param trace the W3C traceparent that it was handed in with
/// @param correlationId what whoever handed it in calls the whole that it is a part of
/// @param giveUpMs when it is ended in whatever open state it is; null for never
/// @param eventMs time of the newest event; the next one is later, whatever the clock says
/// @param stay where it is as its history tells it
public record WorkItem(
        UUID accountId,
        UUID id,
        String profile,
        String queue,
        String kind,
        WorkState state,
        @Nullable WaitReason waitReason,
        int priority,
        @Nullable Long runAtMs,
        int attempt,
        int maxAttempts,
        int retries,
        int leaseSeconds,
        long leaseNumber,
        @Nullable UUID leaseToken,
        @Nullable Long leaseUntilMs,
        @Nullable String holder,
        @Nullable Long timeoutMs,
        @Nullable Long deadlineMs,
        StopRequest stop,
        @Nullable OwnerRef owner,
        long createdMs,
        long updatedMs,
        @Nullable Long claimedMs,
        @Nullable Long heartbeatMs,
        @Nullable Long finishedMs,
        @Nullable Long failedMs,
        @Nullable String failure,
        int eventSeq,
        long eventMs,
        @Nullable Long purgeAfterMs,
        Keys keys,
        @Nullable IfParentFails ifParentFails,
        boolean hasDependents,
        @Nullable Settled settled,
        @Nullable String trace,
        @Nullable String correlationId,
        @Nullable Long giveUpMs,
        TimeInState stay) {

    /// Whom the item belongs to: called in the transaction that ends it.
    public record OwnerRef(String kind, UUID id) {}

    /// What it shares with others: slots, starts in a time, or being the only one.
    public record Keys(
            @Nullable String concurrency, @Nullable String rate, @Nullable String unique) {
        public static final Keys NONE = new Keys(null, null, null);
    }

    /// What its last holder ended it with, so that the same said again is known.
    ///
    /// @param token of the lease that ended
    /// @param digest of what was said; null where it ended without the holder's word
    public record Settled(UUID token, @Nullable UUID digest) {
        static @Nullable Settled of(@Nullable UUID token, @Nullable UUID digest) {
            return token == null || digest == null ? null : new Settled(token, digest);
        }
    }

    public boolean cancelRequested() {
        return stop == StopRequest.CANCEL;
    }

    /// Whether the time is over after which nobody is to begin it or go on with it.
    public boolean overdue(long nowMs) {
        return giveUpMs != null && giveUpMs <= nowMs && !state.ended();
    }

    /// Whether it was cancelled while somebody held it, without that holder's word.
    public boolean revoked() {
        return state == WorkState.CANCELLED && settled != null && settled.digest() == null;
    }

    /// Whether it is held and its lease is still good.
    public boolean leaseLive(long nowMs) {
        return state.held() && leaseUntilMs != null && leaseUntilMs > nowMs;
    }

    /// Whether it is held and its lease has run out, seen by a sweeper or not.
    public boolean leaseExpired(long nowMs) {
        return state.held() && !leaseLive(nowMs);
    }

    /// Whether it waits for nothing but a time that has passed.
    public boolean due(long nowMs) {
        return state == WorkState.WAITING
                && waitReason != null
                && waitReason.endsByTime()
                && runAtMs != null
                && runAtMs <= nowMs;
    }

    /// The same, with others that wait for it.
    public WorkItem asParent() {
        WorkDraft draft = draft();
        draft.hasDependents = true;
        return draft.build();
    }

    WorkDraft draft() {
        return new WorkDraft(this);
    }
}
