package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.retry.ErrorMatrix;
import io.orchestrion.kernel.retry.ErrorMatrix.Classified;
import io.orchestrion.kernel.retry.SafeRetry;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.orchestrations.definition.Route;
import io.orchestrion.orchestrations.definition.StepSpec;
import io.orchestrion.orchestrations.execution.DeadLetter.Compensation;
import io.orchestrion.orchestrations.execution.DeadLetter.Handling;
import io.orchestrion.orchestrations.execution.DeadLetter.Origin;
import io.orchestrion.orchestrations.execution.DeadLetter.Status;
import io.orchestrion.orchestrations.execution.StepStarts.Wanted;
import io.orchestrion.orchestrations.execution.Verdict.Letter;
import io.orchestrion.orchestrations.execution.Verdict.Move;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Brings one execution forward in a turn: records how an attempt ended, has it decided what
/// follows, and does that.
final class Advance {
    private final Turn turn;
    private final Published published;
    private final StepStarts starts;
    private final Outputs outputs;
    private final Delays delays;

    Advance(Turn turn, Published published, Delays delays) {
        this.turn = turn;
        this.published = published;
        this.starts = new StepStarts(turn);
        this.outputs = new Outputs(turn, published);
        this.delays = delays;
    }

    /// Begins a step, and goes on for as long as nobody else has to do anything.
    void begin(Execution execution, Wanted wanted) throws SQLException {
        AttemptEnd ended = starts.begin(execution, wanted);
        while (ended != null) {
            ended = next(ended);
        }
    }

    /// An attempt has ended: what follows is done at once, or when the execution is resumed.
    void end(AttemptEnd ended) throws SQLException {
        AttemptEnd next = next(ended);
        while (next != null) {
            next = next(next);
        }
    }

    private @Nullable AttemptEnd next(AttemptEnd end) throws SQLException {
        StepAttempt ended = record(end);
        Execution execution = turn.execution(ended.execution());
        return execution.status() == ExecutionStatus.RUNNING
                ? follow(execution, ended, end.branch())
                : null;
    }

    private StepAttempt record(AttemptEnd end) {
        StepAttempt attempt = end.attempt();
        WorkError error = end.error();
        StepError stored = null;
        if (error != null) {
            Classified found = classified(end, error);
            stored = StepError.of(error, found.errorClass(), found.overridden());
        }
        return turn.change(
                attempt,
                attempt.ended(
                        end.to(),
                        turn.nowMs(),
                        new StepAttempt.Ended(
                                end.result(),
                                stored,
                                error == null ? null : error.retryAfterSeconds(),
                                end.report().logsRef(),
                                end.report().usage(),
                                null)));
    }

    private Classified classified(AttemptEnd end, WorkError error) {
        if (end.to() == StepStatus.SKIPPED) {
            // Nobody has begun what is skipped, so that nothing can have been done.
            return new Classified(ErrorClass.TRANSIENT, false);
        }
        if (!end.worked()) {
            // Nothing was done here either. To find the same again would find the same, so that
            // no table of a definition makes another attempt of it.
            return ErrorMatrix.classify(error, SafeRetry.SAFE_TO_RETRY, Map.of());
        }
        return ErrorMatrix.classify(
                error,
                end.attempt().place().kind() == AttemptKind.STEP
                        ? end.attempt().key().declared()
                        : SafeRetry.SAFE_TO_RETRY,
                published.definition().errorOverrides());
    }

    /// What follows from attempts that ended while the execution was paused.
    void catchUp(List<StepAttempt> unapplied) throws SQLException {
        for (StepAttempt attempt : unapplied) {
            Execution execution = turn.execution(attempt.execution());
            if (execution.status() == ExecutionStatus.RUNNING) {
                AttemptEnd next = follow(execution, attempt, null);
                while (next != null) {
                    next = next(next);
                }
            }
        }
    }

    private @Nullable AttemptEnd follow(
            Execution execution, StepAttempt ended, @Nullable Route branch) throws SQLException {
        StepSpec spec = published.step(ended.place().stepId());
        var facts =
                new Decider.Facts(
                        spec,
                        ended,
                        branch,
                        Outputs.guardFoundDone(spec, ended),
                        turn.nowMs(),
                        delays.dependencyFactor(),
                        delays.random().nextDouble());
        Verdict verdict = Decider.decide(facts);
        turn.change(ended, ended.deciding(Decisions.json(facts, verdict)));
        note(execution, ended, verdict);
        return carryOut(execution, spec, ended, verdict.move());
    }

    private @Nullable AttemptEnd carryOut(
            Execution before, StepSpec spec, StepAttempt ended, Move move) throws SQLException {
        Execution execution = turn.execution(before.id());
        return switch (move) {
            case Move.Retry(long at, boolean guarded) ->
                    starts.begin(execution, again(spec, ended, at, guarded));
            case Move.TakeGuarded _ -> taken(execution, spec, ended);
            case Move.GoTo(var stepId) -> goTo(execution, stepId);
            case Move.Succeed _ -> {
                succeed(execution, ended);
                yield null;
            }
            case Move.Compensate _ -> starts.begin(execution, compensating(spec, ended));
            case Move.AskToCompensate _ -> {
                ask(execution, spec, ended);
                yield null;
            }
            case Move.Fail(boolean compensated) -> {
                StepError error = ended.ended().error();
                fail(execution, error == null ? undone(execution, ended) : error, compensated);
                yield null;
            }
        };
    }

    /// What a step that was compensated had failed by.
    private StepError undone(Execution execution, StepAttempt compensation) throws SQLException {
        DeadLetter letter = turn.openLetter(execution.id(), compensation.place().stepId());
        return letter != null
                ? letter.error()
                : new StepError(
                        ErrorClass.COMPENSATION_REQUIRED,
                        "compensated",
                        null,
                        "the step failed and what it had done was undone",
                        false);
    }

    private Wanted again(StepSpec spec, StepAttempt ended, long atMs, boolean guarded) {
        AttemptKind kind = ended.place().kind();
        boolean afterGuard = kind == AttemptKind.GUARD;
        int number = afterGuard ? ended.place().number() : ended.place().number() + 1;
        AttemptKind next = guarded ? AttemptKind.GUARD : afterGuard ? AttemptKind.STEP : kind;
        return new Wanted(
                spec,
                next,
                number,
                ended.place().budgetFrom(),
                ended.key().epoch(),
                afterGuard ? null : Long.valueOf(atMs),
                ended.times().deadlineMs());
    }

    /// The guard has found the step done: the attempt that it went before has succeeded without
    /// being made.
    private AttemptEnd taken(Execution execution, StepSpec spec, StepAttempt guard) {
        StepAttempt attempt = turn.add(starts.attempt(execution, again(spec, guard, 0, false)));
        StepAttempt running = turn.change(attempt, attempt.begun(turn.nowMs()));
        return AttemptEnd.succeeded(running, Outputs.guardResult(spec, guard));
    }

    /// Runs the compensation handler of a step that has failed.
    void compensate(Execution execution, StepSpec spec, StepAttempt failed) throws SQLException {
        begin(execution, compensating(spec, failed));
    }

    private Wanted compensating(StepSpec spec, StepAttempt failed) throws SQLException {
        int before =
                turn.execution(failed.execution()).attemptCount() == 1
                        ? 0
                        : newest(failed, AttemptKind.COMPENSATION);
        return new Wanted(
                spec,
                AttemptKind.COMPENSATION,
                before + 1,
                before + 1,
                failed.key().epoch(),
                null,
                null);
    }

    private int newest(StepAttempt of, AttemptKind kind) throws SQLException {
        return StepSql.newest(turn.tx(), turn.account(), of.execution(), of.place().stepId())
                .stream()
                .filter(each -> each.place().kind() == kind)
                .mapToInt(each -> each.place().number())
                .findFirst()
                .orElse(0);
    }

    /// On to a step. After a restart it may have been there before: what has succeeded is not done
    /// again, and what has failed goes on with its numbers.
    private @Nullable AttemptEnd goTo(Execution execution, String stepId) throws SQLException {
        StepSpec spec = published.step(stepId);
        if (execution.attemptCount() == 1) {
            return starts.begin(execution, Wanted.first(spec));
        }
        StepAttempt last =
                StepSql.newest(turn.tx(), turn.account(), execution.id(), stepId).stream()
                        .filter(each -> each.place().kind() == AttemptKind.STEP)
                        .findFirst()
                        .orElse(null);
        if (last == null) {
            return starts.begin(execution, Wanted.first(spec));
        }
        if (last.status() == StepStatus.SUCCEEDED) {
            return passOver(execution, spec, last);
        }
        var retries = new Retries(turn);
        return retries.needsConfirmation(last)
                ? refused(execution, retries.refused(spec, last))
                : starts.begin(execution, retries.anew(spec, last, false, Subjects.Cause.ENGINE));
    }

    /// Nobody said that this step may be repeated.
    private AttemptEnd refused(Execution execution, Wanted wanted) {
        return AttemptEnd.failed(
                turn.add(starts.attempt(execution, wanted)),
                StepStatus.SKIPPED,
                WorkError.of(
                        Codes.NOT_SAFE_TO_RETRY,
                        "the step is not safe to repeat, and nobody has confirmed that it may be"));
    }

    /// On from a step that has succeeded.
    void goOn(Execution execution, StepAttempt last) throws SQLException {
        AttemptEnd ended = passOver(execution, published.step(last.place().stepId()), last);
        while (ended != null) {
            ended = next(ended);
        }
    }

    private @Nullable AttemptEnd passOver(Execution execution, StepSpec spec, StepAttempt last)
            throws SQLException {
        Route route = Outputs.branchTaken(last);
        return switch (route == null ? spec.onSuccess() : route) {
            case Route.Next(var id) -> goTo(execution, id);
            case Route.Terminal _ -> {
                succeed(execution, last);
                yield null;
            }
        };
    }

    private void succeed(Execution execution, StepAttempt last) throws SQLException {
        switch (outputs.of(execution, last)) {
            case Outputs.Good(var output) -> {
                Execution done =
                        turn.change(execution, ExecutionStatus.SUCCEEDED, Subjects.Cause.ENGINE);
                turn.change(
                        done.ending(
                                new Execution.Ending(
                                        output, null, done.ending().compensated(), false)));
                close(done);
            }
            case Outputs.Bad(var error) -> fail(execution, error, false);
        }
    }

    /// Ends an execution that is running.
    void fail(Execution execution, StepError error, boolean compensated) {
        boolean undone = compensated || execution.ending().compensated();
        Execution ending = execution.ending(new Execution.Ending(null, error, undone, false));
        close(turn.change(ending, ExecutionStatus.FAILED, Subjects.Cause.of(error.code())));
    }

    private void close(Execution ended) {
        if (ended.times().timer() != null) {
            turn.revoke(ended.id(), ended.times().timer());
            turn.change(turn.execution(ended.id()).withTimer(null));
        }
    }

    private void ask(Execution execution, StepSpec spec, StepAttempt failed) {
        turn.add(
                new Approval(
                        turn.nextId(),
                        execution.id(),
                        spec.id(),
                        failed.id(),
                        AttemptKind.COMPENSATION,
                        ApprovalStatus.PENDING,
                        1,
                        new Approval.Question(
                                null,
                                "Undo step " + spec.name(),
                                Decisions.question(failed),
                                turn.nowMs(),
                                null),
                        null));
        turn.change(
                turn.execution(execution.id()),
                ExecutionStatus.WAITING_APPROVAL,
                Subjects.Cause.of("step " + spec.id() + " needs compensation"));
    }

    /// Writes the dead letter of a step that has failed for good, or what became of it.
    private void note(Execution execution, StepAttempt ended, Verdict verdict) throws SQLException {
        Letter letter = verdict.letter();
        if (ended.place().kind() == AttemptKind.COMPENSATION) {
            compensated(execution, ended, verdict);
        } else if (letter != null && !isKnown(execution, ended)) {
            turn.add(letter(execution, ended, letter, verdict.move()));
        }
    }

    /// A step that nobody may repeat keeps the dead letter that it has.
    private boolean isKnown(Execution execution, StepAttempt ended) throws SQLException {
        return ended.status() == StepStatus.SKIPPED
                && turn.openLetter(execution.id(), ended.place().stepId()) != null;
    }

    private DeadLetter letter(Execution execution, StepAttempt ended, Letter letter, Move move) {
        Verdict.Action action = letter.action();
        return new DeadLetter(
                turn.nextId(),
                Origin.of(execution),
                ended.place().stepId(),
                ended.id(),
                letter.reason(),
                letter.handled() ? Status.HANDLED : Status.OPEN,
                1,
                Objects.requireNonNull(ended.ended().error()),
                new Handling(
                        turn.nowMs(),
                        action == null ? null : action.word(),
                        compensation(action, move),
                        letter.handled() ? turn.nowMs() : null,
                        null,
                        null));
    }

    private static @Nullable Compensation compensation(Verdict.@Nullable Action action, Move move) {
        return switch (move) {
            case Move.Compensate _ -> Compensation.RUNNING;
            case Move.AskToCompensate _ -> Compensation.ASKED;
            case Move.Retry _, Move.TakeGuarded _, Move.GoTo _, Move.Succeed _, Move.Fail _ ->
                    action == Verdict.Action.MANUAL_COMPENSATION ? Compensation.NEEDED : null;
        };
    }

    private void compensated(Execution execution, StepAttempt ended, Verdict verdict)
            throws SQLException {
        DeadLetter open = turn.openLetter(execution.id(), ended.place().stepId());
        if (open == null || verdict.move() instanceof Move.Retry) {
            return;
        }
        Letter failed = verdict.letter();
        if (failed != null) {
            Verdict.Action action = failed.action();
            turn.change(
                    open,
                    open.with(
                            Compensation.FAILED,
                            failed.reason(),
                            action == null ? null : action.word()));
            return;
        }
        DeadLetter done = open.with(Compensation.DONE, open.reason(), null);
        turn.change(open, done);
        turn.change(
                execution.ending(
                        new Execution.Ending(null, execution.ending().error(), true, false)));
        if (verdict.move() instanceof Move.GoTo) {
            turn.change(done, done.with(Status.HANDLED, turn.nowMs(), null, null));
        }
    }
}
