package io.orchestrion.runs.output;

import io.orchestrion.kernel.work.Refusal;

/// What became of a piece that a worker sent.
public sealed interface Written {
    /// @param seq its number among the pieces of the run
    /// @param left how many bytes the step may still write
    record Kept(long seq, long left) implements Written {}

    /// The sender does not hold the step.
    record NotHeld(Refusal refusal) implements Written {}

    /// The step has no such attempt under way.
    record OtherAttempt() implements Written {}

    /// @param left how many bytes the step may still write
    record Full(long most, long left) implements Written {}

    record NoStep() implements Written {}
}
