package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.WorkEnd;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.orchestrations.definition.Route;

import org.jspecify.annotations.Nullable;

/// How an attempt ends, before it is recorded.
///
/// @param attempt that is still open
/// @param to the status that it gets
/// @param result JSON text of a success
/// @param error why it did not succeed
/// @param branch where a decision leads; null for other steps
/// @param worked whether somebody worked on it: a worker, or a service that was called
record AttemptEnd(
        StepAttempt attempt,
        StepStatus to,
        @Nullable String result,
        @Nullable WorkError error,
        Report report,
        @Nullable Route branch,
        boolean worked) {

    static AttemptEnd succeeded(StepAttempt attempt, @Nullable String result) {
        return new AttemptEnd(
                attempt, StepStatus.SUCCEEDED, result, null, Report.NONE, null, false);
    }

    /// Of what the engine itself found, while nobody worked on the step.
    static AttemptEnd failed(StepAttempt attempt, StepStatus to, WorkError error) {
        return new AttemptEnd(attempt, to, null, error, Report.NONE, null, false);
    }

    /// The same as a decision that leads there.
    AttemptEnd taking(Route next) {
        return new AttemptEnd(attempt, to, result, error, report, next, worked);
    }

    /// Of an item that has ended by itself, by its worker's word or by the clock.
    static AttemptEnd of(StepAttempt attempt, WorkEnd end) {
        WorkError error = end.error();
        if (error == null) {
            return new AttemptEnd(
                    attempt, StepStatus.SUCCEEDED, end.result(), null, end.report(), null, true);
        }
        // By what happened, and not by the code: a worker may say any code.
        boolean stepOver = end.event() == WorkEvent.GIVE_UP;
        WorkError said =
                stepOver
                        ? WorkError.of(Codes.STEP_TIMEOUT, "the time of the whole step was over")
                        : error;
        boolean timedOut = stepOver || end.event() == WorkEvent.TIME_OUT;
        StepStatus to =
                attempt.status().isAhead()
                        ? StepStatus.SKIPPED
                        : timedOut ? StepStatus.TIMED_OUT : StepStatus.FAILED;
        return new AttemptEnd(attempt, to, null, said, end.report(), null, true);
    }
}
