package io.orchestrion.kernel.work;

import io.orchestrion.kernel.work.WorkItem.Settled;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// What somebody asks to be done to one item. What comes of it is decided in [WorkDecider].
public sealed interface Command {

    /// Claims this very item.
    ///
    /// @param leaseSeconds the length where the profile lets the claimer say it, else null
    /// @param key null for a claim that is not asked for again
    record Lease(
            UUID token,
            @Nullable String holder,
            @Nullable Integer leaseSeconds,
            @Nullable ClaimKey key)
            implements Command {
        public Lease(UUID token, @Nullable String holder, @Nullable Integer leaseSeconds) {
            this(token, holder, leaseSeconds, null);
        }
    }

    /// The holder begins.
    record Start(Fence fence) implements Command {}

    /// The holder lives.
    ///
    /// @param leaseSeconds from now on, where the profile lets the claimer say it; null for as
    ///     before
    record Heartbeat(Fence fence, @Nullable Integer leaseSeconds) implements Command {
        public Heartbeat(Fence fence) {
            this(fence, null);
        }
    }

    /// @param result JSON text
    /// @param outputRef a reference to something kept elsewhere
    /// @param digest of all that is said, so that the same said again is known; null where nobody
    ///     will say it again
    record Complete(
            Fence fence, @Nullable String result, @Nullable String outputRef, @Nullable UUID digest)
            implements Command {
        public Complete(Fence fence, @Nullable String result, @Nullable String outputRef) {
            this(fence, result, outputRef, null);
        }
    }

    /// @param delayMs the wait that the worker asks for, else the profile's backoff
    /// @param digest as of [Complete]
    record Fail(
            Fence fence,
            @Nullable String reason,
            @Nullable Long delayMs,
            boolean retryable,
            @Nullable UUID digest)
            implements Command {
        public Fail(
                Fence fence, @Nullable String reason, @Nullable Long delayMs, boolean retryable) {
            this(fence, reason, delayMs, retryable, null);
        }
    }

    /// The sweeper found the lease, or the attempt's time, run out.
    record Expire() implements Command {}

    /// @param force whether also work that somebody holds, where the profile allows that
    record Cancel(boolean force) implements Command {
        public Cancel() {
            this(false);
        }
    }

    /// It is cancelled for a reason that is kept with it; nobody asked for it.
    record Withdraw(String reason) implements Command {}

    /// A dead item goes back to the queue with all its attempts.
    record Reopen() implements Command {}

    /// The holder has stopped an attempt that ran for as long as it may.
    record TimeOut(Fence fence) implements Command {}

    /// A failed item is tried once more.
    ///
    /// @param delayMs the wait before it, else the profile's backoff
    record Retry(@Nullable Long delayMs) implements Command {
        public Retry() {
            this(null);
        }
    }

    /// @param why shown in its history
    record Hold(@Nullable String why) implements Command {
        public Hold() {
            this(null);
        }
    }

    /// @param toDependency whether it goes on waiting for others, of which some are still open
    record Release(boolean toDependency) implements Command {
        public Release() {
            this(false);
        }
    }

    /// What its holder ends the item with, null where that cannot be known again: only a lease says
    /// that two who say the same are one.
    default @Nullable Settled settles() {
        return switch (this) {
            case Complete complete -> Settled.of(complete.fence().token(), complete.digest());
            case Fail fail -> Settled.of(fail.fence().token(), fail.digest());
            case Lease _,
                    Start _,
                    Heartbeat _,
                    TimeOut _,
                    Expire _,
                    Cancel _,
                    Withdraw _,
                    Reopen _,
                    Retry _,
                    Hold _,
                    Release _ ->
                    null;
        };
    }

    /// Whether it comes from a lease holder, and so has reserved capacity.
    default boolean fromHolder() {
        return switch (this) {
            case Start _, Heartbeat _, Complete _, Fail _, TimeOut _ -> true;
            case Lease _, Expire _, Cancel _, Withdraw _, Reopen _, Retry _, Hold _, Release _ ->
                    false;
        };
    }
}
