package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.audit.Audit;
import io.orchestrion.kernel.audit.Detail;
import io.orchestrion.kernel.audit.Subject;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.orchestrations.definition.StepSpec;
import io.orchestrion.orchestrations.execution.Approval.Answer;
import io.orchestrion.orchestrations.execution.DeadLetter.Compensation;
import io.orchestrion.orchestrations.execution.Subjects.Cause;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/// What people are asked: whether a step may go on, and whether a failed one is to be undone.
public final class Approvals {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Kernel kernel;
    private final Executions executions;

    Approvals(Kernel kernel, Executions executions) {
        this.kernel = kernel;
        this.executions = executions;
    }

    /// What somebody says.
    public record Said(UUID account, Person by, boolean approve, @Nullable String note) {}

    public sealed interface Decided {
        /// @param repeated whether the same person had said the same before
        record Done(Approval approval, Execution execution, boolean repeated) implements Decided {}

        record NotFound() implements Decided {}

        /// Somebody has decided otherwise, or the execution was ended.
        record Already(Approval approval) implements Decided {}

        record Expired(Approval approval) implements Decided {}
    }

    /// The inbox.
    public List<Approval> list(ApprovalQuery query) {
        return kernel.database().transaction(tx -> ApprovalSql.page(tx, query));
    }

    public @Nullable Approval get(UUID account, UUID id) {
        return kernel.database().transaction(tx -> ApprovalSql.find(tx, account, id));
    }

    public Decided decide(UUID approval, Said said) {
        return kernel.database()
                .retried(tx -> decide(tx, ApprovalSql.find(tx, said.account(), approval), said));
    }

    /// The newest approval of a step.
    public Decided decide(UUID execution, String stepId, Said said) {
        return kernel.database()
                .retried(
                        tx ->
                                decide(
                                        tx,
                                        ApprovalSql.newest(tx, said.account(), execution, stepId),
                                        said));
    }

    private Decided decide(Tx tx, @Nullable Approval seen, Said said) throws SQLException {
        if (seen == null) {
            return new Decided.NotFound();
        }
        Decided decided =
                executions.withOne(
                        tx,
                        said.account(),
                        seen.execution(),
                        (turn, execution) -> {
                            // Again, under the lock.
                            Approval approval = ApprovalSql.find(tx, said.account(), seen.id());
                            return approval == null
                                    ? new Decided.NotFound()
                                    : decide(turn, execution, approval, said);
                        });
        if (decided instanceof Decided.Done done && !done.repeated()) {
            audit(tx, done.approval(), said);
        }
        return decided == null ? new Decided.NotFound() : decided;
    }

    private Decided decide(Turn turn, Execution execution, Approval approval, Said said)
            throws SQLException {
        if (approval.status() != ApprovalStatus.PENDING) {
            return over(execution, approval, said);
        }
        Long due = approval.question().dueMs();
        if (due != null && due <= turn.nowMs()) {
            return new Decided.Expired(approval);
        }
        Approval answered =
                approval.answered(
                        said.approve() ? ApprovalStatus.APPROVED : ApprovalStatus.REJECTED,
                        new Answer(turn.nowMs(), said.by(), said.note()));
        turn.change(answered);
        Execution running =
                turn.change(execution, ExecutionStatus.RUNNING, new Cause(said.by(), said.note()));
        Advance advance = executions.advance(turn, running);
        if (approval.kind() == AttemptKind.COMPENSATION) {
            compensation(turn, running, advance, answered, said);
        } else {
            StepAttempt attempt =
                    StepSql.find(turn.tx(), turn.account(), List.of(approval.stepExecution()))
                            .getFirst();
            turn.revoke(execution.id(), attempt.id());
            advance.end(end(attempt, answered, said));
        }
        return new Decided.Done(answered, turn.execution(execution.id()), false);
    }

    private static Decided over(Execution execution, Approval approval, Said said) {
        if (approval.status() == ApprovalStatus.EXPIRED) {
            return new Decided.Expired(approval);
        }
        Answer answer = approval.answer();
        boolean same =
                answer != null
                        && answer.by() != null
                        && answer.by().key().equals(said.by().key())
                        && approval.status()
                                == (said.approve()
                                        ? ApprovalStatus.APPROVED
                                        : ApprovalStatus.REJECTED);
        return same ? new Decided.Done(approval, execution, true) : new Decided.Already(approval);
    }

    private static AttemptEnd end(StepAttempt attempt, Approval answered, Said said) {
        if (!said.approve()) {
            return AttemptEnd.failed(
                    attempt,
                    StepStatus.FAILED,
                    WorkError.of(Codes.APPROVAL_REJECTED, "the approval was refused"));
        }
        ObjectNode result = JSON.createObjectNode();
        result.put("approved", true);
        result.put("approval_id", answered.id().toString());
        result.put("approved_by", said.by().word());
        result.put("note", said.note());
        return AttemptEnd.succeeded(attempt, result.toString());
    }

    /// The handler is run, or the execution ends and the dead letter stays open.
    private void compensation(
            Turn turn, Execution execution, Advance advance, Approval answered, Said said)
            throws SQLException {
        DeadLetter letter = turn.openLetter(execution.id(), answered.stepId());
        StepAttempt failed =
                StepSql.find(turn.tx(), turn.account(), List.of(answered.stepExecution()))
                        .getFirst();
        StepSpec spec =
                executions
                        .definitions()
                        .of(turn.tx(), execution.account(), execution.definition())
                        .step(answered.stepId());
        if (said.approve()) {
            if (letter != null) {
                turn.change(letter, letter.with(Compensation.RUNNING, letter.reason(), null));
            }
            advance.compensate(execution, spec, failed);
            return;
        }
        if (letter != null) {
            turn.change(
                    letter,
                    letter.with(
                            Compensation.REJECTED,
                            letter.reason(),
                            Verdict.Action.MANUAL_COMPENSATION.word()));
        }
        advance.fail(execution, Objects.requireNonNull(failed.ended().error()), false);
    }

    /// Nobody has decided in time: the approval is over, and its execution goes on to what follows.
    static void expire(Turn turn, Execution execution, StepAttempt attempt) throws SQLException {
        for (Approval approval : ApprovalSql.pending(turn.tx(), turn.account(), execution.id())) {
            if (approval.stepExecution().equals(attempt.id())) {
                turn.change(
                        approval.answered(
                                ApprovalStatus.EXPIRED, new Answer(turn.nowMs(), null, null)));
                turn.change(
                        execution,
                        ExecutionStatus.RUNNING,
                        Cause.of("the approval of step " + attempt.place().stepId() + " expired"));
            }
        }
    }

    private static void audit(Tx tx, Approval approval, Said said) throws SQLException {
        String what = approval.kind() == AttemptKind.COMPENSATION ? "compensation" : "approval";
        Audit.write(
                tx,
                said.account(),
                said.by().actor(),
                "orchestration." + what + (said.approve() ? ".approve" : ".reject"),
                Subject.of("approval", approval.id()).within(approval.execution()),
                Detail.none()
                        .text("execution_id", approval.execution().toString())
                        .text("step_id", approval.stepId())
                        .text("note", said.note()));
    }
}
