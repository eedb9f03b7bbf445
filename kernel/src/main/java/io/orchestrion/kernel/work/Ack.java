package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

/// What the kernel answers to a command, with the database's time at which it was decided.
public sealed interface Ack {
    long nowMs();

    /// The command was carried out and is committed.
    ///
    /// @param documents where the request asked for them
    record Applied(WorkItem item, @Nullable Documents documents, long nowMs) implements Ack {}

    /// The holder had sent the same report before, with the same lease: the answer of that time. Or
    /// the same claim was sent again: the lease that it was given, as it is now.
    ///
    /// @param documents of a claim
    record Repeated(WorkItem item, @Nullable Documents documents, long nowMs) implements Ack {}

    record Refused(Refusal refusal, long nowMs) implements Ack {}
}
