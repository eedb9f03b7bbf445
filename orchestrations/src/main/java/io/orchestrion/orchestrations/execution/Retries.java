package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.retry.SafeRetry;
import io.orchestrion.orchestrations.definition.StepSpec;
import io.orchestrion.orchestrations.execution.DeadLetter.Compensation;
import io.orchestrion.orchestrations.execution.StepStarts.Wanted;
import io.orchestrion.orchestrations.execution.Subjects.Cause;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;

/// Steps that are begun again in an execution that somebody restarted: numbers go on, the budget is
/// a new one, and what the step declares about repeating it holds as before.
final class Retries {
    private final Turn turn;

    Retries(Turn turn) {
        this.turn = turn;
    }

    /// Another attempt. The open dead letter of the step is closed, as it is tried again.
    ///
    /// @param last the newest attempt of the step
    /// @param confirmed whether somebody knows what a repetition may do: then no guard is asked
    Wanted anew(StepSpec spec, StepAttempt last, boolean confirmed, Cause cause)
            throws SQLException {
        DeadLetter letter = letter(last);
        if (letter != null && letter.status() == DeadLetter.Status.OPEN) {
            turn.change(
                    letter,
                    letter.with(
                            DeadLetter.Status.REPROCESSED,
                            turn.nowMs(),
                            cause.by(),
                            cause.reason()));
        }
        boolean undone = isUndone(letter, last);
        boolean guarded =
                last.key().declared() == SafeRetry.SAFE_TO_RETRY_WITH_GUARD
                        && !confirmed
                        && !undone;
        return wanted(
                spec,
                last,
                guarded ? AttemptKind.GUARD : AttemptKind.STEP,
                last.key().epoch() + (undone ? 1 : 0));
    }

    /// An attempt that nobody makes, of a step that is not safe to repeat.
    Wanted refused(StepSpec spec, StepAttempt last) throws SQLException {
        return wanted(spec, last, AttemptKind.STEP, last.key().epoch());
    }

    private Wanted wanted(StepSpec spec, StepAttempt last, AttemptKind kind, int epoch)
            throws SQLException {
        int number = 1 + newestNumber(last);
        return new Wanted(spec, kind, number, number, epoch, null, null);
    }

    /// Whether a person has to say that the step may be repeated: it has been begun, it is not safe
    /// to repeat, and nobody has undone what it did.
    boolean needsConfirmation(StepAttempt last) throws SQLException {
        boolean begun = last.times().startedMs() != null || last.place().number() > 1;
        return begun
                && last.key().declared() == SafeRetry.NOT_SAFE_TO_RETRY
                && !isUndone(letter(last), last);
    }

    private @Nullable DeadLetter letter(StepAttempt last) throws SQLException {
        return DeadLetterSql.newest(
                turn.tx(), turn.account(), last.execution(), last.place().stepId());
    }

    /// A guard that failed has used up the number of the attempt that it went before.
    private int newestNumber(StepAttempt last) throws SQLException {
        List<StepAttempt> newest =
                StepSql.newest(turn.tx(), turn.account(), last.execution(), last.place().stepId());
        return newest.stream()
                .filter(each -> each.place().kind() != AttemptKind.COMPENSATION)
                .mapToInt(each -> each.place().number())
                .max()
                .orElse(last.place().number());
    }

    /// Whether what the step had done was undone since its last attempt, so that it may take effect
    /// anew.
    private boolean isUndone(@Nullable DeadLetter letter, StepAttempt last) throws SQLException {
        if (letter == null
                || (letter.handling().compensation() != Compensation.DONE
                        && letter.handling().compensation() != Compensation.MARKED)) {
            return false;
        }
        // That of the step, or of a guard, which has the number of the attempt that it went before.
        List<StepAttempt> of =
                StepSql.find(turn.tx(), turn.account(), List.of(letter.stepExecution()));
        return last.place().number() <= of.getFirst().place().number();
    }
}
