package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.retry.FailureDecision.Reason;
import io.orchestrion.kernel.retry.SafeRetry;
import io.orchestrion.orchestrations.definition.StepType;
import io.orchestrion.orchestrations.execution.DeadLetter.Compensation;
import io.orchestrion.orchestrations.execution.DeadLetter.Handling;
import io.orchestrion.orchestrations.execution.DeadLetter.Origin;

import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;

/// Ends an execution whose steps are still under way: what nobody has begun is skipped, what
/// somebody works on has failed, and all its items are taken away.
final class Overtaking {
    /// An execution has few open items: one for each active step, and one for its own time.
    private static final int ITEMS_MAX = 1_000;

    /// Steps that somebody does something for, which may have had its effect.
    private static final Set<StepType> ACTING =
            EnumSet.of(StepType.TASK, StepType.EXTERNAL_CALL, StepType.NOTIFY);

    private final Turn turn;

    Overtaking(Turn turn) {
        this.turn = turn;
    }

    Execution cancel(Execution execution, Subjects.Cause cause) throws SQLException {
        stopSteps(execution, Codes.EXECUTION_CANCELED, "the execution was canceled");
        return turn.change(
                turn.execution(execution.id()).withTimer(null), ExecutionStatus.CANCELED, cause);
    }

    void timeOut(Execution execution) throws SQLException {
        String sentence = "the execution has used up its time";
        stopSteps(execution, Codes.EXECUTION_TIMEOUT, sentence);
        var error =
                new StepError(
                        ErrorClass.NON_RETRYABLE, Codes.EXECUTION_TIMEOUT, null, sentence, false);
        Execution ending =
                turn.execution(execution.id())
                        .ending(
                                new Execution.Ending(
                                        null, error, execution.ending().compensated(), false))
                        .withTimer(null);
        turn.change(ending, ExecutionStatus.FAILED, Subjects.Cause.of(Codes.EXECUTION_TIMEOUT));
    }

    private void stopSteps(Execution execution, String code, String sentence) throws SQLException {
        turn.revokeAll(execution.id(), ITEMS_MAX);
        for (Approval approval : ApprovalSql.pending(turn.tx(), turn.account(), execution.id())) {
            turn.change(
                    approval.answered(
                            ApprovalStatus.CANCELED,
                            new Approval.Answer(turn.nowMs(), null, sentence)));
        }
        for (StepAttempt attempt : StepSql.open(turn.tx(), turn.account(), execution.id())) {
            stop(execution, attempt, code, sentence);
        }
        // Nobody undoes what was to be undone, unless a person does.
        for (DeadLetter letter : DeadLetterSql.openOf(turn.tx(), turn.account(), execution.id())) {
            if (letter.isBeingCompensated()) {
                turn.change(
                        letter,
                        letter.with(
                                Compensation.NEEDED,
                                letter.reason(),
                                Verdict.Action.MANUAL_COMPENSATION.word()));
            }
        }
    }

    private void stop(Execution execution, StepAttempt attempt, String code, String sentence) {
        if (attempt.status().isTerminal()) {
            turn.change(attempt, attempt.deciding(Decisions.overtaken(code)));
            StepError failure = attempt.ended().error();
            if (attempt.place().kind() == AttemptKind.STEP
                    && failure != null
                    && failure.errorClass() == ErrorClass.COMPENSATION_REQUIRED) {
                turn.add(letter(execution, attempt, failure));
            }
            return;
        }
        boolean begun = attempt.status() == StepStatus.RUNNING;
        boolean unknown =
                begun
                        && attempt.place().kind() == AttemptKind.STEP
                        && attempt.key().declared() == SafeRetry.NOT_SAFE_TO_RETRY
                        && ACTING.contains(attempt.place().type());
        StepError error =
                begun
                        ? new StepError(
                                unknown
                                        ? ErrorClass.COMPENSATION_REQUIRED
                                        : ErrorClass.NON_RETRYABLE,
                                code,
                                null,
                                sentence,
                                false)
                        : null;
        turn.change(
                attempt,
                attempt.ended(
                        begun ? StepStatus.FAILED : StepStatus.SKIPPED,
                        turn.nowMs(),
                        new StepAttempt.Ended(
                                null, error, null, null, null, Decisions.overtaken(code))));
        if (unknown && error != null) {
            turn.add(letter(execution, attempt, error));
        }
    }

    /// Nobody knows what a step has done that is not safe to repeat and was broken off.
    private DeadLetter letter(Execution execution, StepAttempt attempt, StepError error) {
        return new DeadLetter(
                turn.nextId(),
                Origin.of(execution),
                attempt.place().stepId(),
                attempt.id(),
                Reason.COMPENSATION_REQUIRED,
                DeadLetter.Status.OPEN,
                1,
                error,
                new Handling(
                        turn.nowMs(),
                        Verdict.Action.MANUAL_COMPENSATION.word(),
                        Compensation.NEEDED,
                        null,
                        null,
                        null));
    }
}
