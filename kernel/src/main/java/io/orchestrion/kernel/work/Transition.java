package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

/// One change of one item: a row of its history.
///
/// @param detail what the history says of it beside the states
/// @param report what the ended attempt left; null where the change ends no attempt
public record Transition(
        WorkEvent event,
        WorkItem before,
        WorkItem after,
        @Nullable String detail,
        @Nullable Report report) {
    public Transition(WorkEvent event, WorkItem before, WorkItem after) {
        this(event, before, after, null, null);
    }

    /// Whether the history has a line for it.
    public boolean tells() {
        return after.place().eventSeq() > before.place().eventSeq();
    }

    /// Whether the item has ended with it.
    public boolean ends() {
        return after.state().ended() && !before.state().ended();
    }

    Transition saying(@Nullable String why) {
        return new Transition(event, before, after, why, report);
    }

    Transition reporting(Report left) {
        return new Transition(event, before, after, detail, left);
    }
}
