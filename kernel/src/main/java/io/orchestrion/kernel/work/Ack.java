package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

/// What the kernel answers to a command, with the database's time at which it was decided.
public sealed interface Ack {
    long nowMs();

    /// Done and committed.
    ///
    /// @param documents where the request asked for them
    record Applied(WorkItem item, @Nullable Documents documents, long nowMs) implements Ack {}

    /// The same had been said before with the same lease: what came of it then, at that time. Or
    /// the same claim was asked for again: the lease it was given, as it is now.
    ///
    /// @param documents of a claim
    record Repeated(WorkItem item, @Nullable Documents documents, long nowMs) implements Ack {}

    record Refused(Refusal refusal, long nowMs) implements Ack {}
}
