package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.WorkEnd;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.orchestrations.definition.Route;

import org.jspecify.annotations.Nullable;

/// How an attempt ends, before it is recorded.
///
/// @param attempt that is still open
/// @param to the status that it gets
/// @param result JSON text of a success
/// @param error why it did not succeed
/// @param branch where a decision leads; null for other steps
record AttemptEnd(
        StepAttempt attempt,
        StepStatus to,
        @Nullable String result,
        @Nullable WorkError error,
        Report report,
        @Nullable Route branch) {

    static AttemptEnd succeeded(StepAttempt attempt, @Nullable String result) {
        return new AttemptEnd(attempt, StepStatus.SUCCEEDED, result, null, Report.NONE, null);
    }

    static AttemptEnd failed(StepAttempt attempt, StepStatus to, WorkError error) {
        return new AttemptEnd(attempt, to, null, error, Report.NONE, null);
    }

    /// The same as a decision that leads there.
    AttemptEnd taking(Route next) {
        return new AttemptEnd(attempt, to, result, error, report, next);
    }

    /// Of an item that has ended by itself, by its worker's word or by the clock.
    static AttemptEnd of(StepAttempt attempt, WorkEnd end) {
        WorkError error = end.error();
        if (error == null) {
            return new AttemptEnd(
                    attempt, StepStatus.SUCCEEDED, end.result(), null, end.report(), null);
        }
        boolean stepOver = error.code().equals(WorkError.GAVE_UP.code());
        WorkError said =
                stepOver
                        ? WorkError.of(Codes.STEP_TIMEOUT, "the time of the whole step was over")
                        : error;
        boolean timedOut = stepOver || error.code().equals(WorkError.TIMED_OUT.code());
        StepStatus to =
                attempt.status().isAhead()
                        ? StepStatus.SKIPPED
                        : timedOut ? StepStatus.TIMED_OUT : StepStatus.FAILED;
        return new AttemptEnd(attempt, to, null, said, end.report(), null);
    }
}
