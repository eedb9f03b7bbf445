package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.audit.Audit;
import io.orchestrion.kernel.audit.Detail;
import io.orchestrion.kernel.audit.Subject;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.orchestrations.definition.StepSpec;
import io.orchestrion.orchestrations.execution.DeadLetter.Compensation;
import io.orchestrion.orchestrations.execution.DeadLetter.Status;
import io.orchestrion.orchestrations.execution.Subjects.Cause;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// Steps that failed for good, and what people do about them.
public final class DeadLetters {
    private final Kernel kernel;
    private final Executions executions;
    private final ExecutionVerbs verbs;

    DeadLetters(Kernel kernel, Executions executions, ExecutionVerbs verbs) {
        this.kernel = kernel;
        this.executions = executions;
        this.verbs = verbs;
    }

    /// What a person can do about a dead letter or a failed execution.
    public enum Action {
        REPROCESS,
        COMPENSATE,
        MARK_COMPENSATED,
        RESOLVE,
        RETRY,
        /// Of the approval that asks whether the step is to be undone.
        APPROVE,
        REJECT
    }

    /// Who asks for what, and why.
    public record Request(UUID account, UUID id, Person by, @Nullable String note) {}

    public sealed interface Handled {
        /// @param step the attempt that was begun; null for none
        record Done(DeadLetter letter, Execution execution, @Nullable StepAttempt step)
                implements Handled {}

        record NotFound() implements Handled {}

        /// Its own status, or that of its execution, does not allow this.
        record WrongStatus(DeadLetter letter, Execution execution) implements Handled {}

        /// The step is not safe to repeat, and the caller did not confirm that.
        record Unsafe(DeadLetter letter) implements Handled {}

        /// As many executions are under way as the definition allows at once.
        ///
        /// @param limit its name in the definition
        record TooMany(String limit, int most) implements Handled {}

        /// There is no handler, or nothing to compensate.
        record NothingToCompensate(DeadLetter letter) implements Handled {}
    }

    public List<DeadLetter> list(DeadLetterQuery query) {
        return kernel.database().transaction(tx -> DeadLetterSql.page(tx, query));
    }

    /// A dead letter with what can be done about it.
    ///
    /// @param approval that asks whether the step is to be undone; null where nothing is asked
    public record Seen(
            DeadLetter letter, Execution execution, Set<Action> actions, @Nullable UUID approval) {}

    public @Nullable Seen get(UUID account, UUID id) {
        return kernel.database()
                .transaction(
                        tx -> {
                            DeadLetter letter = DeadLetterSql.find(tx, account, id);
                            return letter == null ? null : seen(tx, account, letter);
                        });
    }

    /// The same for several.
    public List<Seen> see(UUID account, List<DeadLetter> letters) {
        return kernel.database()
                .transaction(
                        tx -> {
                            var all = new ArrayList<Seen>();
                            for (DeadLetter letter : letters) {
                                all.add(seen(tx, account, letter));
                            }
                            return all;
                        });
    }

    private Seen seen(Tx tx, UUID account, DeadLetter letter) throws SQLException {
        Execution execution =
                ExecutionSql.find(tx, account, List.of(letter.origin().execution())).getFirst();
        UUID approval = approval(tx, execution, letter);
        Set<Action> actions = actions(tx, execution, letter);
        if (approval != null) {
            actions.add(Action.APPROVE);
            actions.add(Action.REJECT);
        }
        return new Seen(letter, execution, actions, approval);
    }

    private static @Nullable UUID approval(Tx tx, Execution execution, DeadLetter letter)
            throws SQLException {
        if (letter.status() != Status.OPEN
                || letter.handling().compensation() != Compensation.ASKED) {
            return null;
        }
        return ApprovalSql.pending(tx, execution.account(), execution.id()).stream()
                .filter(each -> each.stepExecution().equals(letter.stepExecution()))
                .map(Approval::id)
                .findFirst()
                .orElse(null);
    }

    private Set<Action> actions(Tx tx, Execution execution, DeadLetter letter) throws SQLException {
        var actions = EnumSet.noneOf(Action.class);
        if (letter.status() != Status.OPEN) {
            return actions;
        }
        if (!letter.isBeingCompensated()) {
            actions.add(Action.RESOLVE);
        }
        boolean failed = execution.status() == ExecutionStatus.FAILED;
        if (failed) {
            actions.add(Action.REPROCESS);
        }
        if (letter.handling().action() != null) {
            actions.add(Action.MARK_COMPENSATED);
            if (failed && spec(tx, execution, letter).compensation() != null) {
                actions.add(Action.COMPENSATE);
            }
        }
        return actions;
    }

    private StepSpec spec(Tx tx, Execution execution, DeadLetter letter) throws SQLException {
        return executions
                .definitions()
                .of(tx, execution.account(), execution.definition())
                .step(letter.stepId());
    }

    /// Tries the step again, with a new budget of attempts.
    public Handled reprocess(Request request, boolean confirmUnsafe) {
        return kernel.database()
                .retried(
                        tx -> {
                            DeadLetter seen =
                                    DeadLetterSql.find(tx, request.account(), request.id());
                            if (seen != null) {
                                verbs.awaitTurn(tx, request.account(), seen.origin().execution());
                            }
                            return one(
                                    tx,
                                    request,
                                    "orchestration.dlq.reprocess",
                                    (turn, execution, letter) ->
                                            again(turn, execution, letter, request, confirmUnsafe));
                        });
    }

    private Handled again(
            Turn turn,
            Execution execution,
            DeadLetter letter,
            Request request,
            boolean confirmUnsafe)
            throws SQLException {
        var cause = new Cause(request.by(), request.note());
        return switch (verbs.retry(turn, execution, cause, letter.stepId(), confirmUnsafe)) {
            case Ack.Done done ->
                    new Handled.Done(turn.letter(letter), done.execution(), done.step());
            case Ack.Unsafe _ -> new Handled.Unsafe(letter);
            case Ack.TooMany(var _, var limit, int most) -> new Handled.TooMany(limit, most);
            case Ack.NotFound _ -> new Handled.NotFound();
            case Ack.WrongStatus _, Ack.NotFailed _ -> new Handled.WrongStatus(letter, execution);
        };
    }

    /// Closes it; nothing else changes. Not while its step is being undone, as nobody would see
    /// that this failed.
    public Handled resolve(Request request) {
        return one(
                request,
                "orchestration.dlq.resolve",
                (turn, execution, letter) -> {
                    if (letter.isBeingCompensated()) {
                        return new Handled.WrongStatus(letter, execution);
                    }
                    DeadLetter closed =
                            letter.with(
                                    Status.RESOLVED, turn.nowMs(), request.by(), request.note());
                    turn.change(letter, closed);
                    return new Handled.Done(closed, execution, null);
                });
    }

    /// Runs the compensation handler of a step of a failed execution.
    public Handled compensate(Request request) {
        return one(
                request,
                "orchestration.compensation.run",
                (turn, execution, letter) -> {
                    StepSpec spec = spec(turn.tx(), execution, letter);
                    if (execution.status() != ExecutionStatus.FAILED) {
                        return new Handled.WrongStatus(letter, execution);
                    }
                    if (letter.handling().action() == null || spec.compensation() == null) {
                        return new Handled.NothingToCompensate(letter);
                    }
                    StepAttempt failed =
                            StepSql.find(turn.tx(), turn.account(), List.of(letter.stepExecution()))
                                    .getFirst();
                    DeadLetter running = letter.with(Compensation.RUNNING, letter.reason(), null);
                    turn.change(letter, running);
                    Execution restarted =
                            turn.change(
                                    execution.restarted(),
                                    ExecutionStatus.RUNNING,
                                    new Cause(request.by(), request.note()));
                    executions
                            .advance(turn, restarted)
                            .compensate(turn.execution(restarted.id()), spec, failed);
                    return new Handled.Done(
                            running,
                            turn.execution(execution.id()),
                            turn.newest(execution.id(), letter.stepId()));
                });
    }

    /// Somebody has undone the step outside of the engine.
    public Handled markCompensated(Request request) {
        return one(
                request,
                "orchestration.compensation.mark",
                (turn, execution, letter) -> {
                    if (letter.handling().action() == null) {
                        return new Handled.NothingToCompensate(letter);
                    }
                    DeadLetter marked =
                            letter.with(Compensation.MARKED, letter.reason(), null)
                                    .with(
                                            Status.RESOLVED,
                                            turn.nowMs(),
                                            request.by(),
                                            request.note());
                    turn.change(letter, marked);
                    turn.change(
                            execution.ending(
                                    new Execution.Ending(
                                            execution.ending().output(),
                                            execution.ending().error(),
                                            true,
                                            execution.ending().reviewed())));
                    return new Handled.Done(marked, turn.execution(execution.id()), null);
                });
    }

    /// Executions that failed and that nobody has closed, newest first.
    public List<Execution> failedExecutions(UUID account, @Nullable UUID before, int most) {
        return kernel.database()
                .transaction(tx -> ExecutionSql.unreviewed(tx, account, before, most));
    }

    /// Closes a failed execution, so that it is not shown for review any more.
    public Ack closeExecution(ExecutionVerbs.Request request) {
        return kernel.database()
                .retried(
                        tx -> {
                            Ack ack =
                                    executions.withOne(
                                            tx,
                                            request.account(),
                                            request.execution(),
                                            DeadLetters::close);
                            if (ack instanceof Ack.Done done && done.changed()) {
                                Audit.write(
                                        tx,
                                        request.account(),
                                        request.by().actor(),
                                        "orchestration.review.resolve",
                                        Subject.of("execution", request.execution()),
                                        Detail.none().text("note", request.reason()));
                            }
                            return ack == null ? new Ack.NotFound() : ack;
                        });
    }

    private static Ack close(Turn turn, Execution execution) {
        if (execution.status() != ExecutionStatus.FAILED) {
            return new Ack.WrongStatus(execution);
        }
        Execution.Ending was = execution.ending();
        return was.reviewed()
                ? new Ack.Done(execution, false)
                : new Ack.Done(
                        turn.change(
                                execution.ending(
                                        new Execution.Ending(
                                                was.output(),
                                                was.error(),
                                                was.compensated(),
                                                true))),
                        true);
    }

    private interface OnLetter {
        Handled on(Turn turn, Execution execution, DeadLetter letter) throws SQLException;
    }

    /// Does something with an open dead letter, under the lock of its execution.
    private Handled one(Request request, String action, OnLetter what) {
        return kernel.database().retried(tx -> one(tx, request, action, what));
    }

    private Handled one(Tx tx, Request request, String action, OnLetter what) throws SQLException {
        DeadLetter seen = DeadLetterSql.find(tx, request.account(), request.id());
        if (seen == null) {
            return new Handled.NotFound();
        }
        Handled handled =
                executions.withOne(
                        tx,
                        request.account(),
                        seen.origin().execution(),
                        (turn, execution) -> {
                            DeadLetter letter =
                                    DeadLetterSql.find(tx, request.account(), request.id());
                            if (letter == null) {
                                return new Handled.NotFound();
                            }
                            return letter.status() == Status.OPEN
                                    ? what.on(turn, execution, letter)
                                    : new Handled.WrongStatus(letter, execution);
                        });
        if (handled instanceof Handled.Done) {
            Audit.write(
                    tx,
                    request.account(),
                    request.by().actor(),
                    action,
                    Subject.of("dead_letter", request.id()).within(seen.origin().execution()),
                    Detail.none()
                            .text("execution_id", seen.origin().execution().toString())
                            .text("step_id", seen.stepId())
                            .text("note", request.note()));
        }
        return handled == null ? new Handled.NotFound() : handled;
    }
}
