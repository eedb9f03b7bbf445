package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

/// One change of one item: a row of its history.
///
/// @param detail what the history says of it beside the states
/// @param report what the attempt left that it ends; null where it ends none
public record Step(
        WorkEvent event,
        WorkItem before,
        WorkItem after,
        @Nullable String detail,
        @Nullable Report report) {
    Step(WorkEvent event, WorkItem before, WorkItem after) {
        this(event, before, after, null, null);
    }

    /// Whether the history has a line for it.
    boolean tells() {
        return after.place().eventSeq() > before.place().eventSeq();
    }

    /// Whether the item is over by it.
    public boolean ends() {
        return after.state().ended() && !before.state().ended();
    }

    Step saying(@Nullable String why) {
        return new Step(event, before, after, why, report);
    }

    Step reporting(Report left) {
        return new Step(event, before, after, detail, left);
    }
}
