package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// A history row about to be written.
record EventRow(
        UUID workId,
        String queue,
        int seq,
        long atMs,
        WorkEvent event,
        @Nullable WorkState from,
        WorkState to,
        int attempt,
        long leaseNumber,
        @Nullable String holder,
        @Nullable String detail) {

    /// For a change that was made by a statement and not decided on a read row.
    static EventRow of(WorkItem after, WorkEvent event, @Nullable WorkState from) {
        return new EventRow(
                after.id(),
                after.queue(),
                after.eventSeq(),
                after.eventMs(),
                event,
                from,
                after.state(),
                after.attempt(),
                after.leaseNumber(),
                after.holder(),
                null);
    }

    static EventRow of(Step step) {
        WorkItem after = step.after();
        // The holder that acted is the one before a change that lets the lease go.
        String holder = after.state().held() ? after.holder() : step.before().holder();
        boolean failed =
                switch (step.event()) {
                    case FAIL, EXPIRE, TIME_OUT -> true;
                    default -> false;
                };
        return new EventRow(
                after.id(),
                after.queue(),
                after.eventSeq(),
                after.eventMs(),
                step.event(),
                step.before().state(),
                after.state(),
                after.attempt(),
                after.leaseNumber(),
                holder,
                failed ? after.failure() : step.detail());
    }
}
