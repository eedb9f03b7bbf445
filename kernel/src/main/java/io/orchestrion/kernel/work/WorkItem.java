package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// One row of the work table as it was read or as it will be written. Times are the database's, in
/// epoch milliseconds.
///
/// @param turn when it may begin, and until when it is wanted
/// @param attempts how often it was tried, and how the last failure went
/// @param lease the current lease, or the last one
/// @param holding the current holder, or the last one
/// @param place how far its history is
/// @param links what ties it to other items
/// @param trail which trace and which larger whole outside it belongs to
public record WorkItem(
        Identity identity,
        WorkState state,
        Turn turn,
        Attempts attempts,
        Lease lease,
        Holding holding,
        Times times,
        Place place,
        Links links,
        Trail trail) {

    /// What an item is. None of this ever changes.
    ///
    /// @param kind what is to be done: the door's type; claims name it
    public record Identity(
            UUID accountId,
            UUID id,
            String profile,
            String queue,
            String kind,
            @Nullable OwnerRef owner) {}

    /// The row of an engine that the item belongs to. The engine is called in the transaction that
    /// ends the item.
    public record OwnerRef(String kind, UUID id) {}

    /// When it may begin, and until when it is wanted.
    ///
    /// @param waitReason what it waits for; null unless it does
    /// @param runAtMs the time before which it is not claimable, kept once passed
    /// @param giveUpMs when it is ended in whatever open state it is; null for never
    public record Turn(
            int priority,
            @Nullable WaitReason waitReason,
            @Nullable Long runAtMs,
            @Nullable Long giveUpMs) {
        public Turn waitingFor(@Nullable WaitReason reason) {
            return new Turn(priority, reason, runAtMs, giveUpMs);
        }

        public Turn notBefore(@Nullable Long timeMs) {
            return new Turn(priority, waitReason, timeMs, giveUpMs);
        }

        public Turn givingUpAt(@Nullable Long timeMs) {
            return new Turn(priority, waitReason, runAtMs, timeMs);
        }
    }

    /// How often it was tried, and how the last failure went.
    ///
    /// @param made leases granted since creation or reopening
    /// @param most leases that are granted before a failure is final
    /// @param retries accepted on request
    /// @param timeoutMs how long one attempt may run at the most, whatever the heartbeats say
    public record Attempts(
            int made,
            int most,
            int retries,
            @Nullable Long timeoutMs,
            @Nullable Long failedMs,
            @Nullable String failure) {
        /// None yet.
        public static Attempts of(int most, @Nullable Long timeoutMs) {
            return new Attempts(0, most, 0, timeoutMs, null, null);
        }

        public Attempts made(int count) {
            return new Attempts(count, most, retries, timeoutMs, failedMs, failure);
        }

        public Attempts retried(int count) {
            return new Attempts(made, most, count, timeoutMs, failedMs, failure);
        }

        public Attempts failed(String why, long atMs) {
            return new Attempts(made, most, retries, timeoutMs, atMs, why);
        }

        /// Whether no attempt is left if the current one fails.
        public boolean usedUp() {
            return made >= most;
        }
    }

    /// How long the holder has the item, and what proves that it does.
    ///
    /// @param number the fence: grows with every lease, never falls
    /// @param token null unless the item is held
    /// @param untilMs null unless the item is held
    /// @param deadlineMs when the running attempt or the whole item is ended, whatever the
    ///     heartbeats say
    public record Lease(
            long number,
            @Nullable UUID token,
            int seconds,
            @Nullable Long untilMs,
            @Nullable Long deadlineMs) {
        /// Before the first one.
        public static Lease none(int seconds) {
            return new Lease(0, null, seconds, null, null);
        }

        /// The next one, which still needs an end.
        public Lease next(UUID token) {
            return new Lease(number + 1, token, seconds, null, null);
        }

        public Lease lasting(int seconds) {
            return new Lease(number, token, seconds, untilMs, deadlineMs);
        }

        public Lease endingBy(@Nullable Long deadlineMs) {
            return new Lease(number, token, seconds, untilMs, deadlineMs);
        }

        public Lease until(@Nullable Long timeMs) {
            return new Lease(number, token, seconds, timeMs, deadlineMs);
        }

        /// The same for its whole length from now on, but not past the deadline.
        public Lease renewed(long nowMs) {
            long end = nowMs + seconds * 1000L;
            return until(deadlineMs == null ? end : Math.min(end, deadlineMs));
        }

        /// The same after its end, while nobody has a newer one.
        public Lease dropped() {
            return new Lease(number, null, seconds, null, null);
        }
    }

    /// The holder, or the last one: what it is asked to do, and what it reported at the end.
    ///
    /// @param holder the name under which it was claimed
    /// @param stop what its holder is asked to do
    /// @param settled what it ended with while somebody held it
    public record Holding(@Nullable String holder, StopRequest stop, @Nullable Settled settled) {
        public static final Holding NOBODY = new Holding(null, StopRequest.NONE, null);

        public Holding by(@Nullable String name) {
            return new Holding(name, stop, settled);
        }

        public Holding asked(StopRequest request) {
            return new Holding(holder, request, settled);
        }

        public Holding settledBy(@Nullable Settled end) {
            return new Holding(holder, stop, end);
        }
    }

    /// The report with which the last holder ended the item, so that the same report is known when
    /// it is sent again.
    ///
    /// @param token of the lease that ended
    /// @param digest of the report; null where the item ended without one
    public record Settled(UUID token, @Nullable UUID digest) {
        static @Nullable Settled of(@Nullable UUID token, @Nullable UUID digest) {
            return token == null || digest == null ? null : new Settled(token, digest);
        }
    }

    /// When the last of each of these happened.
    ///
    /// @param claimedMs of the current or last attempt
    /// @param heartbeatMs the last one of that attempt
    public record Times(
            long createdMs,
            long updatedMs,
            @Nullable Long claimedMs,
            @Nullable Long heartbeatMs,
            @Nullable Long finishedMs,
            @Nullable Long purgeAfterMs) {
        public static Times created(long nowMs) {
            return new Times(nowMs, nowMs, null, null, null, null);
        }

        /// Strictly later than before, so that a reader who compares update times sees every
        /// change.
        public Times updated(long nowMs) {
            return new Times(
                    createdMs,
                    Math.max(nowMs, updatedMs + 1),
                    claimedMs,
                    heartbeatMs,
                    finishedMs,
                    purgeAfterMs);
        }

        /// The same at the start of a new attempt, which had no heartbeat yet.
        public Times claimed(long nowMs) {
            return new Times(createdMs, updatedMs, nowMs, null, finishedMs, purgeAfterMs);
        }

        /// The same without an attempt under way.
        public Times unclaimed() {
            return new Times(createdMs, updatedMs, null, heartbeatMs, finishedMs, purgeAfterMs);
        }

        public Times heartbeat(long nowMs) {
            return new Times(createdMs, updatedMs, claimedMs, nowMs, finishedMs, purgeAfterMs);
        }

        public Times finished(long nowMs, @Nullable Long purgeAfterMs) {
            return new Times(createdMs, updatedMs, claimedMs, heartbeatMs, nowMs, purgeAfterMs);
        }

        /// The same as if nobody had ever claimed it.
        public Times revived() {
            return new Times(createdMs, updatedMs, null, null, null, null);
        }
    }

    /// How far its history is.
    ///
    /// @param eventSeq number of the newest event
    /// @param eventMs its time; the next one is later, whatever the clock says
    /// @param stay where the item is as its history tells it
    public record Place(int eventSeq, long eventMs, TimeInState stay) {
        /// The time of the next event.
        public long nextMs(long nowMs) {
            return Math.max(nowMs, eventMs + 1);
        }

        /// The same after something that took a time of its own and added no event.
        public Place at(long timeMs) {
            return new Place(eventSeq, timeMs, stay);
        }

        /// After one more event.
        public Place after(WorkEvent event, WorkState from, WorkState to, long nowMs) {
            long atMs = nextMs(nowMs);
            return new Place(eventSeq + 1, atMs, stay.after(event, from, to, atMs));
        }
    }

    /// What ties it to other items.
    ///
    /// @param ifParentFails null where it waits for none
    /// @param hasDependents whether others wait for it to end
    public record Links(Keys keys, @Nullable IfParentFails ifParentFails, boolean hasDependents) {
        public Links asParent() {
            return new Links(keys, ifParentFails, true);
        }
    }

    /// What it shares with others: slots, starts in a time, or a name that only one item may have.
    public record Keys(
            @Nullable String concurrency, @Nullable String rate, @Nullable String unique) {
        public static final Keys NONE = new Keys(null, null, null);
    }

    /// Which trace and which larger whole outside it belongs to.
    ///
    /// @param trace the W3C traceparent that it was handed in with
    /// @param correlationId the id that the producer gave the larger whole
    public record Trail(@Nullable String trace, @Nullable String correlationId) {
        public static final Trail NONE = new Trail(null, null);

        public Trail traced(@Nullable String traceparent) {
            return new Trail(traceparent, correlationId);
        }

        public Trail correlated(@Nullable String id) {
            return new Trail(trace, id);
        }
    }

    public UUID accountId() {
        return identity.accountId;
    }

    public UUID id() {
        return identity.id;
    }

    public String profile() {
        return identity.profile;
    }

    public String queue() {
        return identity.queue;
    }

    public String kind() {
        return identity.kind;
    }

    public @Nullable OwnerRef owner() {
        return identity.owner;
    }

    public @Nullable WaitReason waitReason() {
        return turn.waitReason;
    }

    /// The number of the current attempt, or of the last one.
    public int attempt() {
        return attempts.made;
    }

    public boolean cancelRequested() {
        return holding.stop == StopRequest.CANCEL;
    }

    /// Whether the time is over until which the item was wanted.
    public boolean overdue(long nowMs) {
        return turn.giveUpMs != null && turn.giveUpMs <= nowMs && !state.ended();
    }

    /// Whether it was cancelled while somebody held it, by somebody else than the holder.
    public boolean revoked() {
        return state == WorkState.CANCELLED
                && holding.settled != null
                && holding.settled.digest() == null;
    }

    /// Whether it is held and its lease is still good.
    public boolean leaseLive(long nowMs) {
        return state.held() && lease.untilMs != null && lease.untilMs > nowMs;
    }

    /// Whether it is held and its lease has run out, whether or not a sweeper has found that yet.
    public boolean leaseExpired(long nowMs) {
        return state.held() && !leaseLive(nowMs);
    }

    /// Whether it waits for a time only, and that time has passed.
    public boolean due(long nowMs) {
        return state == WorkState.WAITING
                && turn.waitReason != null
                && turn.waitReason.endsByTime()
                && turn.runAtMs != null
                && turn.runAtMs <= nowMs;
    }

    /// The same, marked as one that others wait for.
    public WorkItem asParent() {
        WorkDraft draft = draft();
        draft.links = links.asParent();
        return draft.build();
    }

    WorkDraft draft() {
        return new WorkDraft(this);
    }
}
