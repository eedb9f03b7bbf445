package io.orchestrion.orchestrations.execution;

import io.orchestrion.orchestrations.definition.StepSpec;
import io.orchestrion.orchestrations.execution.StepStarts.Wanted;

/// Attempts that somebody asks for by hand: numbers go on, the budget is a new one.
final class Retries {
    private Retries() {}

    /// @param epoch of the key: another one where what the last attempts did was undone
    static Wanted anew(StepSpec spec, StepAttempt last, int epoch) {
        int number = last.place().number() + 1;
        return new Wanted(spec, AttemptKind.STEP, number, number, epoch, null, null);
    }
}
