package io.orchestrion.kernel.work;

import io.orchestrion.kernel.policy.Requirements;
import io.orchestrion.kernel.work.WorkItem.Attempts;
import io.orchestrion.kernel.work.WorkItem.Holding;
import io.orchestrion.kernel.work.WorkItem.Identity;
import io.orchestrion.kernel.work.WorkItem.Lease;
import io.orchestrion.kernel.work.WorkItem.Links;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.kernel.work.WorkItem.Place;
import io.orchestrion.kernel.work.WorkItem.Times;
import io.orchestrion.kernel.work.WorkItem.Trail;
import io.orchestrion.kernel.work.WorkItem.Turn;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Work to be handed in. The door has checked it against the profile's bounds. What is checked here
/// is what would be a mistake of the door or the engine.
///
/// @param payload JSON text, compact
/// @param timing when it is to be done
/// @param tries how often and under which conditions it is tried
/// @param terms what it shares with others and waits for
/// @param trail which trace and which larger whole outside it belongs to
public record NewWork(
        UUID accountId,
        Profile profile,
        String kind,
        String payload,
        @Nullable OwnerRef owner,
        Timing timing,
        Tries tries,
        Terms terms,
        Trail trail) {
    public static final int CORRELATION_ID_MAX = 200;

    /// When it is to be done.
    ///
    /// @param runAtMs not claimable before; null or past means at once
    /// @param waitFor a reason to wait that is not a time: dependency or hold
    /// @param giveUp when it is ended in whatever open state it is; null for never
    public record Timing(
            int priority,
            @Nullable Long runAtMs,
            @Nullable WaitReason waitFor,
            @Nullable GiveUp giveUp) {
        static final Timing AT_ONCE = new Timing(0, null, null, null);

        public Timing {
            if (waitFor != null && waitFor.endsByTime()) {
                throw new IllegalArgumentException("a time to wait for is given by runAtMs");
            }
        }
    }

    /// @param ms the time itself, or how long after the item is handed in
    public record GiveUp(long ms, boolean afterSubmit) {
        public long at(long submittedMs) {
            return afterSubmit ? submittedMs + ms : ms;
        }
    }

    /// How often and under which conditions it is tried.
    ///
    /// @param most how many attempts there may be
    /// @param timeoutMs how long one may run at the most; null for no such bound
    /// @param requirements what it asks of its worker, where the profile has claims go by that
    public record Tries(
            int most, int leaseSeconds, @Nullable Long timeoutMs, Requirements requirements) {
        static Tries of(Profile profile) {
            return new Tries(
                    profile.bounds().attempts().orElse(),
                    profile.lease().seconds().orElse(),
                    null,
                    Requirements.NONE);
        }
    }

    public NewWork {
        if (!profile.claims().byPolicy() && !tries.requirements.equals(Requirements.NONE)) {
            throw new IllegalArgumentException(
                    "requirements are only for profiles whose claims go by policy");
        }
        if (timing.waitFor != null && terms.parents() != null) {
            throw new IllegalArgumentException("an item with parents waits for these alone");
        }
        if (owner != null && (terms.parents() != null || terms.unique() != null)) {
            throw new IllegalArgumentException(
                    "an item with an owner has neither parents nor a unique key");
        }
        String correlationId = trail.correlationId();
        if (correlationId != null
                && correlationId.codePointCount(0, correlationId.length()) > CORRELATION_ID_MAX) {
            throw new IllegalArgumentException("a correlation id is short");
        }
        if (timing.giveUp != null && profile.ends().onGiveUp() == null) {
            throw new IllegalArgumentException(profile.name() + " are never given up");
        }
        within("maxAttempts", tries.most, profile.bounds().attempts());
        within("leaseSeconds", tries.leaseSeconds, profile.lease().seconds());
    }

    /// With the profile's defaults.
    public static NewWork of(UUID accountId, Profile profile, String kind, String payload) {
        return new NewWork(
                accountId,
                profile,
                kind,
                payload,
                null,
                Timing.AT_ONCE,
                Tries.of(profile),
                Terms.NONE,
                Trail.NONE);
    }

    public String queue() {
        return profile.queue();
    }

    /// The same, made by that owner.
    public NewWork ownedBy(OwnerRef other) {
        return with(other, timing, tries, terms, trail);
    }

    /// The same with this priority. Items of a higher priority are claimed first.
    public NewWork prioritised(int priority) {
        return with(new Timing(priority, timing.runAtMs, timing.waitFor, timing.giveUp));
    }

    /// The same, not to be begun before that time; null for at once.
    public NewWork notBefore(@Nullable Long timeMs) {
        return with(new Timing(timing.priority, timeMs, timing.waitFor, timing.giveUp));
    }

    /// The same, which waits for something that is not a time.
    public NewWork waitingFor(WaitReason reason) {
        return with(new Timing(timing.priority, timing.runAtMs, reason, timing.giveUp));
    }

    /// The same, which nobody gets before its owner has released it. Not for timers: these run on
    /// during a hold, and [OwnedItems] neither holds nor releases them.
    public NewWork heldBack() {
        if (profile.endsWhenDue()) {
            throw new IllegalArgumentException(
                    profile.name() + " are not released by their owners");
        }
        return waitingFor(WaitReason.HOLD);
    }

    /// The same, wanted until that time and then ended; null for no such time.
    public NewWork givingUpAt(@Nullable Long timeMs) {
        return givingUp(timeMs == null ? null : new GiveUp(timeMs, false));
    }

    /// The same, wanted for so long after it is handed in and then ended; null for no end.
    public NewWork givingUpAfter(@Nullable Long delayMs) {
        return givingUp(delayMs == null ? null : new GiveUp(delayMs, true));
    }

    private NewWork givingUp(@Nullable GiveUp giveUp) {
        return with(new Timing(timing.priority, timing.runAtMs, timing.waitFor, giveUp));
    }

    /// The same with so many attempts before a failure is final.
    public NewWork tryingAtMost(int attempts) {
        return with(new Tries(attempts, tries.leaseSeconds, tries.timeoutMs, tries.requirements));
    }

    /// The same with leases of that length.
    public NewWork leasedFor(int seconds) {
        return with(new Tries(tries.most, seconds, tries.timeoutMs, tries.requirements));
    }

    /// The same, an attempt of which may run for so long at the most; null for no such bound.
    public NewWork runningAtMost(@Nullable Long millis) {
        return with(new Tries(tries.most, tries.leaseSeconds, millis, tries.requirements));
    }

    /// The same for a worker that meets these requirements.
    public NewWork asking(Requirements other) {
        return with(new Tries(tries.most, tries.leaseSeconds, tries.timeoutMs, other));
    }

    public NewWork with(Terms other) {
        return with(owner, timing, tries, other, trail);
    }

    /// The same as a part of a trace; null for none.
    public NewWork traced(@Nullable String traceparent) {
        return with(owner, timing, tries, terms, trail.traced(traceparent));
    }

    /// The same as a part of a whole that has this id; null for none.
    public NewWork correlated(@Nullable String id) {
        return with(owner, timing, tries, terms, trail.correlated(id));
    }

    private NewWork with(Timing other) {
        return with(owner, other, tries, terms, trail);
    }

    private NewWork with(Tries other) {
        return with(owner, timing, other, terms, trail);
    }

    private NewWork with(
            @Nullable OwnerRef owner, Timing timing, Tries tries, Terms terms, Trail trail) {
        return new NewWork(accountId, profile, kind, payload, owner, timing, tries, terms, trail);
    }

    private static void within(String name, int value, Profile.Bounds bounds) {
        if (value < bounds.min() || value > bounds.max()) {
            throw new IllegalArgumentException(
                    name + " must be from " + bounds.min() + " to " + bounds.max());
        }
    }

    public boolean scheduleAllowed(long nowMs) {
        return timing.runAtMs == null || profile.bounds().schedule().allows(timing.runAtMs, nowMs);
    }

    /// How many events it begins with. Where the outside sees waiting as a state, the first event
    /// is always the wait, and an item that is due has a second one, which ends it.
    private int begins(@Nullable WaitReason reason) {
        return profile.showsWaiting() && reason == null ? 2 : 1;
    }

    /// The item as it is written at the given time.
    public WorkItem at(UUID id, long nowMs) {
        return at(id, nowMs, timing.waitFor);
    }

    /// The same, waiting for something else.
    public WorkItem at(UUID id, long nowMs, @Nullable WaitReason other) {
        // An item that only waits has to wait for a time, so that the promoter finds it.
        Long runAt =
                timing.runAtMs == null && profile.endsWhenDue()
                        ? Long.valueOf(nowMs)
                        : timing.runAtMs;
        boolean ahead = runAt != null && (runAt > nowMs || profile.endsWhenDue());
        WaitReason reason = other != null ? other : ahead ? WaitReason.SCHEDULE : null;
        WorkState state = reason == null ? WorkState.READY : WorkState.WAITING;
        GiveUp giveUp = timing.giveUp;
        Terms.Parents parents = terms.parents();
        int events = begins(reason);
        return new WorkItem(
                new Identity(accountId, id, profile.name(), queue(), kind, owner),
                state,
                new Turn(
                        timing.priority,
                        reason,
                        runAt,
                        giveUp == null ? null : Long.valueOf(giveUp.at(nowMs))),
                Attempts.of(tries.most, tries.timeoutMs),
                Lease.none(tries.leaseSeconds),
                Holding.NOBODY,
                Times.created(nowMs),
                new Place(events, nowMs + events - 1, begun(state, events, nowMs)),
                new Links(terms.keys(), parents == null ? null : parents.ifFails(), false),
                trail);
    }

    private static TimeInState begun(WorkState state, int events, long nowMs) {
        return events == 1
                ? TimeInState.NOWHERE.after(WorkEvent.SUBMIT, null, state, nowMs)
                : TimeInState.NOWHERE
                        .after(WorkEvent.SUBMIT, null, WorkState.WAITING, nowMs)
                        .after(WorkEvent.PROMOTE, WorkState.WAITING, state, nowMs + 1);
    }
}
