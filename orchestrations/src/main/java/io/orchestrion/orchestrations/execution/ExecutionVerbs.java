package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.audit.Audit;
import io.orchestrion.kernel.audit.Detail;
import io.orchestrion.kernel.audit.Subject;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.retry.SafeRetry;
import io.orchestrion.orchestrations.definition.StepSpec;
import io.orchestrion.orchestrations.execution.Subjects.Cause;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/// What people ask of executions. Each call is one transaction, and is in the audit log with who
/// asked and why.
public final class ExecutionVerbs {
    /// An execution has few items that nobody has begun: one for each active step.
    private static final int ITEMS_MAX = 1_000;

    private final Kernel kernel;
    private final Executions executions;

    ExecutionVerbs(Kernel kernel, Executions executions) {
        this.kernel = kernel;
        this.executions = executions;
    }

    /// Who asks for what, and why.
    ///
    /// @param reason for the audit log
    public record Request(UUID account, UUID execution, Requester by, @Nullable String reason) {
        Cause cause() {
            return new Cause(by, reason);
        }
    }

    /// No further step begins. What somebody works on goes on, and its result is kept.
    public Ack pause(Request request) {
        return one(
                request,
                "orchestration.pause",
                (turn, execution) -> {
                    if (execution.status() == ExecutionStatus.PAUSED) {
                        return new Ack.Done(execution, false);
                    }
                    if (!execution.status().mayBecome(ExecutionStatus.PAUSED)) {
                        return new Ack.WrongStatus(execution);
                    }
                    turn.holdAll(execution.id(), ITEMS_MAX);
                    return new Ack.Done(
                            turn.change(execution, ExecutionStatus.PAUSED, request.cause()), true);
                });
    }

    /// Goes on where it stopped: what ended meanwhile is followed up now.
    public Ack resume(Request request) {
        return one(
                request,
                "orchestration.resume",
                (turn, execution) -> {
                    if (execution.status() == ExecutionStatus.RUNNING) {
                        return new Ack.Done(execution, false);
                    }
                    if (execution.status() != ExecutionStatus.PAUSED) {
                        return new Ack.WrongStatus(execution);
                    }
                    Execution running =
                            turn.change(execution, ExecutionStatus.RUNNING, request.cause());
                    turn.releaseAll(execution.id(), ITEMS_MAX);
                    // Also where its time is over: what has happened counts, and then its timer
                    // ends it.
                    executions.advance(turn, running).catchUp(unapplied(turn, running));
                    return new Ack.Done(turn.execution(execution.id()), true);
                });
    }

    private static List<StepAttempt> unapplied(Turn turn, Execution execution) throws SQLException {
        return StepSql.open(turn.tx(), turn.account(), execution.id()).stream()
                .filter(StepAttempt::isUnapplied)
                .sorted(
                        Comparator.comparing(
                                (StepAttempt each) ->
                                        Objects.requireNonNull(each.times().finishedMs())))
                .toList();
    }

    /// Ends it. Workers that hold a step are told with their next word.
    public Ack cancel(Request request) {
        return one(
                request,
                "orchestration.cancel",
                (turn, execution) -> {
                    if (execution.status() == ExecutionStatus.CANCELED) {
                        return new Ack.Done(execution, false);
                    }
                    if (!execution.status().mayBecome(ExecutionStatus.CANCELED)) {
                        return new Ack.WrongStatus(execution);
                    }
                    return new Ack.Done(
                            new Overtaking(turn).cancel(execution, request.cause()), true);
                });
    }

    /// Begins the failed step again, with a new budget of attempts.
    ///
    /// @param stepId null for where the execution stopped
    /// @param confirmUnsafe whether the caller knows that the step is not safe to repeat
    public Ack retry(Request request, @Nullable String stepId, boolean confirmUnsafe) {
        return kernel.database()
                .retried(
                        tx -> {
                            awaitTurn(tx, request.account(), request.execution());
                            return one(
                                    tx,
                                    request,
                                    "orchestration.retry",
                                    (turn, execution) ->
                                            retry(
                                                    turn,
                                                    execution,
                                                    request.cause(),
                                                    stepId,
                                                    confirmUnsafe));
                        });
    }

    /// Before [#retry(Turn, Execution, Cause, String, boolean)], and before any execution
    /// is locked.
    void awaitTurn(Tx tx, UUID account, UUID execution) throws SQLException {
        ConcurrencyLimits.awaitTurn(tx, account, executions.definitions(), execution);
    }

    Ack retry(
            Turn turn,
            Execution execution,
            Cause cause,
            @Nullable String stepId,
            boolean confirmUnsafe)
            throws SQLException {
        if (execution.status() != ExecutionStatus.FAILED) {
            return new Ack.WrongStatus(execution);
        }
        StepAttempt last =
                stepId == null
                        ? StepSql.last(turn.tx(), turn.account(), execution.id())
                        : newest(turn, execution, stepId);
        if (last == null) {
            return stepId == null
                    ? new Ack.WrongStatus(execution)
                    : new Ack.NotFailed(execution, stepId);
        }
        boolean succeeded = last.status() == StepStatus.SUCCEEDED;
        if (succeeded && stepId != null) {
            return new Ack.NotFailed(execution, stepId);
        }
        if (!succeeded && last.key().declared() == SafeRetry.NOT_SAFE_TO_RETRY && !confirmUnsafe) {
            return new Ack.Unsafe(execution, last.place().stepId());
        }
        var full = ConcurrencyLimits.reached(turn, executions.definitions(), execution);
        if (full != null) {
            return new Ack.TooMany(execution, full.limit(), full.most());
        }
        if (succeeded) {
            return goOn(turn, execution, cause, last);
        }
        StepSpec spec = published(turn, execution).step(last.place().stepId());
        var wanted = new Retries(turn).anew(spec, last, confirmUnsafe, cause);
        Execution running = turn.change(execution.restarted(), ExecutionStatus.RUNNING, cause);
        executions.advance(turn, running).begin(running, wanted);
        return new Ack.Done(
                turn.execution(running.id()), true, turn.newest(running.id(), spec.id()));
    }

    /// No step has failed: the execution ended after the last one, by its time or by its output.
    private Ack goOn(Turn turn, Execution execution, Cause cause, StepAttempt last)
            throws SQLException {
        Execution running = turn.change(execution.restarted(), ExecutionStatus.RUNNING, cause);
        executions.advance(turn, running).goOn(running, last);
        return new Ack.Done(turn.execution(running.id()), true);
    }

    private Published published(Turn turn, Execution execution) throws SQLException {
        return executions.definitions().of(turn.tx(), execution.account(), execution.definition());
    }

    private static @Nullable StepAttempt newest(Turn turn, Execution execution, String stepId)
            throws SQLException {
        return StepSql.newest(turn.tx(), turn.account(), execution.id(), stepId).stream()
                .filter(each -> each.place().kind() == AttemptKind.STEP)
                .findFirst()
                .orElse(null);
    }

    private Ack one(Request request, String action, Executions.OnExecution<Ack> what) {
        return kernel.database().retried(tx -> one(tx, request, action, what));
    }

    private Ack one(Tx tx, Request request, String action, Executions.OnExecution<Ack> what)
            throws SQLException {
        Ack ack = executions.withOne(tx, request.account(), request.execution(), what);
        if (ack instanceof Ack.Done done && done.changed()) {
            audit(tx, request, action);
        }
        return ack == null ? new Ack.NotFound() : ack;
    }

    private static void audit(Tx tx, Request request, String action) throws SQLException {
        Audit.write(
                tx,
                request.account(),
                request.by().actor(),
                action,
                Subject.of("execution", request.execution()),
                Detail.none().text("reason", request.reason()));
    }
}
