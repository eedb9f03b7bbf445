package io.orchestrion.kernel.work;

import io.orchestrion.kernel.policy.Requirements;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Work to be handed in. The door has checked it against the profile's bounds; what is checked
/// here is what no door may get wrong.
///
/// @param payload JSON text, compact
/// @param runAtMs not claimable before; null or past means at once
/// @param waitFor a reason to wait that is not a time: dependency or hold
/// @param requirements what it asks of its worker, where the profile has claims go by that
/// @param trace the W3C traceparent under which it is handed in
/// @param correlationId what its producer calls the whole that it is a part of
/// @param giveUp when it is ended in whatever open state it is; null for never
public record NewWork(
        UUID accountId,
        Profile profile,
        String queue,
        String kind,
        String payload,
        int priority,
        @Nullable Long runAtMs,
        @Nullable WaitReason waitFor,
        int maxAttempts,
        int leaseSeconds,
        @Nullable Long timeoutMs,
        @Nullable OwnerRef owner,
        Terms terms,
        Requirements requirements,
        @Nullable String trace,
        @Nullable String correlationId,
        @Nullable GiveUp giveUp) {
    public static final int CORRELATION_ID_MAX = 200;

    public NewWork(
            UUID accountId,
            Profile profile,
            String queue,
            String kind,
            String payload,
            int priority,
            @Nullable Long runAtMs,
            @Nullable WaitReason waitFor,
            int maxAttempts,
            int leaseSeconds,
            @Nullable Long timeoutMs,
            @Nullable OwnerRef owner,
            Terms terms) {
        this(
                accountId,
                profile,
                queue,
                kind,
                payload,
                priority,
                runAtMs,
                waitFor,
                maxAttempts,
                leaseSeconds,
                timeoutMs,
                owner,
                terms,
                Requirements.NONE,
                null,
                null,
                null);
    }

    public NewWork {
        if (!profile.byPolicy() && !requirements.equals(Requirements.NONE)) {
            throw new IllegalArgumentException("nobody would look at what it asks for");
        }
        if (waitFor != null && waitFor.endsByTime()) {
            throw new IllegalArgumentException("a time to wait for is given by runAtMs");
        }
        if (waitFor != null && terms.parents() != null) {
            throw new IllegalArgumentException("its parents say what it waits for");
        }
        if (owner != null && (terms.parents() != null || terms.unique() != null)) {
            throw new IllegalArgumentException("what has an owner is ordered by it");
        }
        if (correlationId != null
                && correlationId.codePointCount(0, correlationId.length()) > CORRELATION_ID_MAX) {
            throw new IllegalArgumentException("a correlation id is short");
        }
        if (giveUp != null && profile.onGiveUp() == null) {
            throw new IllegalArgumentException(profile.name() + " are never given up");
        }
        within("maxAttempts", maxAttempts, profile.attempts());
        within("leaseSeconds", leaseSeconds, profile.lease().seconds());
    }

    /// With the profile's own queue and defaults.
    public static NewWork of(UUID accountId, Profile profile, String kind, String payload) {
        return new NewWork(
                accountId,
                profile,
                profile.queue(),
                kind,
                payload,
                0,
                null,
                null,
                profile.attempts().orElse(),
                profile.lease().seconds().orElse(),
                null,
                null,
                Terms.NONE);
    }

    /// The same as an item of that owner.
    public NewWork ownedBy(OwnerRef other) {
        return with(runAtMs, waitFor, timeoutMs, other);
    }

    /// The same, not to be begun before that time; null for at once.
    public NewWork notBefore(@Nullable Long timeMs) {
        return with(timeMs, waitFor, timeoutMs, owner);
    }

    /// The same, which nobody gets before its owner has released it. Not for timers: these run on,
    /// and `OwnedItems` neither holds nor releases them.
    public NewWork heldBack() {
        if (profile.endsWhenDue()) {
            throw new IllegalArgumentException(
                    profile.name() + " are not released by their owners");
        }
        return with(runAtMs, WaitReason.HOLD, timeoutMs, owner);
    }

    /// The same, an attempt of which may run for so long at the most; null for no such bound.
    public NewWork runningAtMost(@Nullable Long millis) {
        return with(runAtMs, waitFor, millis, owner);
    }

    public NewWork with(Terms other) {
        return with(other, requirements, trace, correlationId, giveUp);
    }

    /// The same for a worker that fulfils this.
    public NewWork asking(Requirements other) {
        return with(terms, other, trace, correlationId, giveUp);
    }

    /// The same as a part of a trace; null for none.
    public NewWork traced(@Nullable String traceparent) {
        return with(terms, requirements, traceparent, correlationId, giveUp);
    }

    /// The same as a part of a whole that has this id; null for none.
    public NewWork correlated(@Nullable String id) {
        return with(terms, requirements, trace, id, giveUp);
    }

    /// The same until that time and no longer; null for no such time.
    public NewWork givingUpAt(@Nullable Long timeMs) {
        return with(
                terms,
                requirements,
                trace,
                correlationId,
                timeMs == null ? null : new GiveUp(timeMs, false));
    }

    /// The same for so long after it is handed in; null for no end.
    public NewWork givingUpAfter(@Nullable Long delayMs) {
        return with(
                terms,
                requirements,
                trace,
                correlationId,
                delayMs == null ? null : new GiveUp(delayMs, true));
    }

    /// @param ms the time itself, or how long after the item is handed in
    public record GiveUp(long ms, boolean afterSubmit) {
        public long at(long submittedMs) {
            return afterSubmit ? submittedMs + ms : ms;
        }
    }

    private NewWork with(
            @Nullable Long runAtMs,
            @Nullable WaitReason waitFor,
            @Nullable Long timeoutMs,
            @Nullable OwnerRef owner) {
        return new NewWork(
                accountId,
                profile,
                queue,
                kind,
                payload,
                priority,
                runAtMs,
                waitFor,
                maxAttempts,
                leaseSeconds,
                timeoutMs,
                owner,
                terms,
                requirements,
                trace,
                correlationId,
                giveUp);
    }

    private NewWork with(
            Terms terms,
            Requirements requirements,
            @Nullable String trace,
            @Nullable String correlationId,
            @Nullable GiveUp giveUp) {
        return new NewWork(
                accountId,
                profile,
                queue,
                kind,
                payload,
                priority,
                runAtMs,
                waitFor,
                maxAttempts,
                leaseSeconds,
                timeoutMs,
                owner,
                terms,
                requirements,
                trace,
                correlationId,
                giveUp);
    }

    private static void within(String name, int value, Profile.Bounds bounds) {
        if (value < bounds.min() || value > bounds.max()) {
            throw new IllegalArgumentException(
                    name + " must be from " + bounds.min() + " to " + bounds.max());
        }
    }

    public boolean scheduleAllowed(long nowMs) {
        return runAtMs == null || profile.schedule().allows(runAtMs, nowMs);
    }

    /// How many events there are of it at first: where waiting is seen from outside, everything
    /// begins with it, and what is due has left it already.
    private int begins(@Nullable WaitReason reason) {
        return profile.showsWaiting() && reason == null ? 2 : 1;
    }

    /// The item as it will stand in the table at the given time.
    public WorkItem at(UUID id, long nowMs) {
        return at(id, nowMs, waitFor);
    }

    /// The same, waiting for something else.
    public WorkItem at(UUID id, long nowMs, @Nullable WaitReason other) {
        // What only waits does so at least until somebody looks.
        Long runAt = runAtMs == null && profile.endsWhenDue() ? Long.valueOf(nowMs) : runAtMs;
        boolean ahead = runAt != null && (runAt > nowMs || profile.endsWhenDue());
        WaitReason reason = other != null ? other : ahead ? WaitReason.SCHEDULE : null;
        WorkState state = reason == null ? WorkState.READY : WorkState.WAITING;
        return new WorkItem(
                accountId,
                id,
                profile.name(),
                queue,
                kind,
                state,
                reason,
                priority,
                runAt,
                0,
                maxAttempts,
                0,
                leaseSeconds,
                0,
                null,
                null,
                null,
                timeoutMs,
                null,
                StopRequest.NONE,
                owner,
                nowMs,
                nowMs,
                null,
                null,
                null,
                null,
                null,
                begins(reason),
                nowMs + begins(reason) - 1,
                null,
                terms.keys(),
                terms.parents() == null ? null : terms.parents().ifFails(),
                false,
                null,
                trace,
                correlationId,
                giveUp == null ? null : Long.valueOf(giveUp.at(nowMs)),
                begun(state, begins(reason), nowMs));
    }

    private static TimeInState begun(WorkState state, int events, long nowMs) {
        return events == 1
                ? TimeInState.NOWHERE.after(WorkEvent.SUBMIT, null, state, nowMs)
                : TimeInState.NOWHERE
                        .after(WorkEvent.SUBMIT, null, WorkState.WAITING, nowMs)
                        .after(WorkEvent.PROMOTE, WorkState.WAITING, state, nowMs + 1);
    }
}
