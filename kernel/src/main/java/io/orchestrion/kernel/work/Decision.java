package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What follows from a command, before anything is written.
public sealed interface Decision {
    /// The changes to write, in order. The command itself may be refused after them: then the
    /// refusal is the answer.
    record Change(List<Transition> transitions, @Nullable Refusal then) implements Decision {}

    /// The lease or a flag changes. The state stays, and the history has no new line.
    record Touch(WorkItem after) implements Decision {}

    /// The item is already as the command wants it.
    record Nothing(WorkItem item) implements Decision {}

    record Refuse(Refusal refusal) implements Decision {}
}
