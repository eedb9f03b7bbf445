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
    /// @param report what else the holder says of the attempt; its error is null
    /// @param digest of all that is said, so that the same said again is known; null where nobody
    ///     will say it again
    record Complete(
            Fence fence,
            @Nullable String result,
            @Nullable String outputRef,
            Report report,
            @Nullable UUID digest)
            implements Command {
        public Complete {
            if (report.error() != null) {
                throw new IllegalArgumentException("what succeeded has no error");
            }
        }

        public Complete(
                Fence fence,
                @Nullable String result,
                @Nullable String outputRef,
                @Nullable UUID digest) {
            this(fence, result, outputRef, Report.NONE, digest);
        }

        public Complete(Fence fence, @Nullable String result, @Nullable String outputRef) {
            this(fence, result, outputRef, null);
        }
    }

    /// @param reason for people; null where the error's message says it
    /// @param delayMs the wait that the worker asks for, else the profile's backoff
    /// @param report what else the holder says of the attempt
    /// @param digest as of [Complete]
    record Fail(
            Fence fence,
            @Nullable String reason,
            @Nullable Long delayMs,
            boolean retryable,
            Report report,
            @Nullable UUID digest)
            implements Command {
        public Fail(
                Fence fence,
                @Nullable String reason,
                @Nullable Long delayMs,
                boolean retryable,
                @Nullable UUID digest) {
            this(fence, reason, delayMs, retryable, Report.NONE, digest);
        }

        public Fail(
                Fence fence, @Nullable String reason, @Nullable Long delayMs, boolean retryable) {
            this(fence, reason, delayMs, retryable, null);
        }

        /// The reason that is kept.
        String why() {
            if (reason != null) {
                return reason;
            }
            WorkError error = report.error();
            return error == null ? WorkFailures.NO_REASON : error.message();
        }
    }

    /// A sweeper found a time run out: that of the lease, of the attempt, or what a timer waits
    /// for.
    record Expire() implements Command {}

    /// The holder stops and lets go of its lease: what its end would have done is done at once.
    record LetGo(Fence fence) implements Command {}

    /// The sweeper found that the time was over that the item was given.
    record GiveUp() implements Command {}

    /// Its holder is asked to pause, or no longer is.
    record AskPause(boolean pause) implements Command {}

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
                    LetGo _,
                    Expire _,
                    GiveUp _,
                    AskPause _,
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
            case Start _, Heartbeat _, Complete _, Fail _, TimeOut _, LetGo _ -> true;
            case Lease _,
                    Expire _,
                    GiveUp _,
                    AskPause _,
                    Cancel _,
                    Withdraw _,
                    Reopen _,
                    Retry _,
                    Hold _,
                    Release _ ->
                    false;
        };
    }
}
