package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

/// One change of one item: a row of its history.
///
/// @param detail what the history says of it beside the states
public record Step(WorkEvent event, WorkItem before, WorkItem after, @Nullable String detail) {
    Step(WorkEvent event, WorkItem before, WorkItem after) {
        this(event, before, after, null);
    }

    /// Whether the history has a line for it.
    boolean tells() {
        return after.eventSeq() > before.eventSeq();
    }

    Step saying(@Nullable String why) {
        return new Step(event, before, after, why);
    }
}
