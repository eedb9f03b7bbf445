package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What comes of a command, before anything is written.
public sealed interface Decision {
    /// The changes to write, in order, and the refusal to answer with where what was asked for
    /// could not follow them.
    record Change(List<Transition> transitions, @Nullable Refusal then) implements Decision {}

    /// The lease or a flag moves; the state does not, and nothing is added to the history.
    record Touch(WorkItem after) implements Decision {}

    /// It is already so.
    record Nothing(WorkItem item) implements Decision {}

    record Refuse(Refusal refusal) implements Decision {}
}
