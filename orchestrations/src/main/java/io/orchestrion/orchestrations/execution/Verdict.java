package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.retry.FailureDecision.Reason;

import org.jspecify.annotations.Nullable;

/// What follows from the end of an attempt.
///
/// @param letter the dead letter that comes of it; null for none
record Verdict(Move move, @Nullable Letter letter) {

    sealed interface Move {
        /// Another attempt, not before that time.
        record Retry(long atMs, boolean guarded) implements Move {}

        /// The guard found that the last attempt got through: the step has succeeded.
        record TakeGuarded() implements Move {}

        /// On to another step.
        record GoTo(String stepId) implements Move {}

        /// The execution has succeeded.
        record Succeed() implements Move {}

        /// The compensation handler is run now.
        record Compensate() implements Move {}

        /// A person is asked whether the compensation handler is to be run.
        record AskToCompensate() implements Move {}

        /// The execution has failed.
        ///
        /// @param compensated whether what the step had done is undone
        record Fail(boolean compensated) implements Move {}
    }

    /// A step that has failed for good.
    ///
    /// @param handled whether another step takes over
    /// @param action what a person has to do beside looking at it; null for nothing
    record Letter(Reason reason, boolean handled, @Nullable Action action) {}

    /// What a dead letter asks of a person.
    enum Action {
        MANUAL_COMPENSATION("manual_compensation"),
        CHECK_EFFECT("check_effect");

        private final String word;

        Action(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    static Verdict of(Move move) {
        return new Verdict(move, null);
    }
}
