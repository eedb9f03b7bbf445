package io.orchestrion.kernel.work;

import io.orchestrion.kernel.work.WorkItem.Settled;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// What somebody asks to be done to one item. [WorkDecider] decides what follows from it.
public sealed interface Command {

    /// Claims the item that it names.
    ///
    /// @param leaseSeconds the length where the profile lets the claimer say it, else null
    /// @param key null for a claim that cannot be sent again
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

    /// The holder begins the work.
    record Start(Fence fence) implements Command {}

    /// The holder says that it is still working.
    ///
    /// @param leaseSeconds from now on, where the profile lets the claimer say it; null for the
    ///     length that the lease has
    record Heartbeat(Fence fence, @Nullable Integer leaseSeconds) implements Command {
        public Heartbeat(Fence fence) {
            this(fence, null);
        }
    }

    /// @param result JSON text
    /// @param outputRef a reference to something kept elsewhere
    /// @param report what else the holder says of the attempt; its error is null
    /// @param digest of the whole report, so that the same report is known when it is sent again;
    ///     null where nobody will send it again
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
    /// @param digest of the whole report, as in [Complete]
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

    /// A sweeper found that a time has run out: that of the lease, that of the attempt, or the time
    /// that a timer waits for.
    record Expire() implements Command {}

    /// The holder stops and gives its lease back. The same follows at once that would follow when
    /// the lease runs out.
    record LetGo(Fence fence) implements Command {}

    /// The sweeper found that the time is over until which the item was wanted.
    record GiveUp() implements Command {}

    /// The item's holder is asked to pause, or is no longer asked.
    record AskPause(boolean pause) implements Command {}

    /// @param force whether to cancel it also while somebody holds it, where the profile allows
    ///     that
    record Cancel(boolean force) implements Command {
        public Cancel() {
            this(false);
        }
    }

    /// The item is cancelled by the kernel or an engine, not on request. The reason is kept with
    /// it.
    record Withdraw(String reason) implements Command {}

    /// A dead item goes back to the queue with all its attempts.
    record Reopen() implements Command {}

    /// The holder itself has stopped an attempt that ran for as long as it may.
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

    /// @param toDependency whether the item still waits for others, of which some are open
    record Release(boolean toDependency) implements Command {
        public Release() {
            this(false);
        }
    }

    /// What the holder ends the item with. Null where the same report could not be known again
    /// later: two reports are the same one only if they come with the same lease.
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

    /// Whether a lease holder sends it. Such commands have capacity of their own.
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
