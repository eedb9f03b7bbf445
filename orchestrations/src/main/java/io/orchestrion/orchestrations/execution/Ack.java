package io.orchestrion.orchestrations.execution;

import org.jspecify.annotations.Nullable;

/// What became of something that a person asked of an execution.
public sealed interface Ack {
    /// @param changed whether it was not so before
    /// @param step the attempt that was begun by it; null where none was
    record Done(Execution execution, boolean changed, @Nullable StepAttempt step) implements Ack {
        Done(Execution execution, boolean changed) {
            this(execution, changed, null);
        }
    }

    /// There is no such thing in this account.
    record NotFound() implements Ack {}

    /// The execution's status does not allow it.
    record WrongStatus(Execution execution) implements Ack {}

    /// The step is not safe to repeat, and the caller did not confirm that.
    record Unsafe(Execution execution, String stepId) implements Ack {}

    /// As many executions are under way as the definition allows at once.
    ///
    /// @param limit its name in the definition
    record TooMany(Execution execution, String limit, int most) implements Ack {}

    /// The step has no failed attempt that could be repeated.
    record NotFailed(Execution execution, String stepId) implements Ack {}
}
