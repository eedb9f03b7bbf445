package io.orchestrion.kernel.work;

import java.util.List;

/// What the kernel answers to a command, with the database's time at which it was decided.
public sealed interface Ack {
    long nowMs();

    /// Done and committed.
    ///
    /// @param steps the changes in order; empty when only the lease moved
    record Applied(WorkItem item, List<Step> steps, long nowMs) implements Ack {}

    record Refused(Refusal refusal, long nowMs) implements Ack {}
}
