package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// What somebody asks to be done to one item. What comes of it is decided in [WorkDecider].
public sealed interface Command {

    /// Claims this very item.
    ///
    /// @param leaseSeconds the length where the profile lets the claimer say it, else null
    record Lease(UUID token, @Nullable String holder, @Nullable Integer leaseSeconds)
            implements Command {}

    /// The holder begins.
    record Start(Fence fence) implements Command {}

    /// The holder lives.
    record Heartbeat(Fence fence) implements Command {}

    /// @param result JSON text
    /// @param outputRef a reference to something kept elsewhere
    record Complete(Fence fence, @Nullable String result, @Nullable String outputRef)
            implements Command {}

    /// @param delayMs the wait that the worker asks for, else the profile's backoff
    record Fail(Fence fence, @Nullable String reason, @Nullable Long delayMs, boolean retryable)
            implements Command {}

    /// The sweeper found the lease, or the attempt's time, run out.
    record Expire() implements Command {}

    record Cancel() implements Command {}

    /// It is cancelled for a reason that is kept with it; nobody asked for it.
    record Withdraw(String reason) implements Command {}

    /// A dead item goes back to the queue with all its attempts.
    record Reopen() implements Command {}

    /// A failed item is tried once more.
    record Retry() implements Command {}

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

    /// Whether it comes from a lease holder, and so has reserved capacity.
    default boolean fromHolder() {
        return switch (this) {
            case Start _, Heartbeat _, Complete _, Fail _ -> true;
            case Lease _, Expire _, Cancel _, Withdraw _, Reopen _, Retry _, Hold _, Release _ ->
                    false;
        };
    }
}
