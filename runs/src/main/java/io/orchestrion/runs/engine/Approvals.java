package io.orchestrion.runs.engine;

import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.runs.policy.Failures;
import io.orchestrion.runs.policy.StopReason;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.ticket.Approval;
import io.orchestrion.runs.ticket.ApprovalSql;
import io.orchestrion.runs.tree.Agent;
import io.orchestrion.runs.tree.Fault;
import io.orchestrion.runs.tree.Step;
import io.orchestrion.runs.tree.Task;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.Objects;

/// What people say about calls of tools.
final class Approvals {
    /// The error of a step whose call somebody did not want.
    static final String REJECTED = "ToolRejectedError";

    private final Engine engine;
    private final Turn turn;

    Approvals(Engine engine, Turn turn) {
        this.engine = engine;
        this.turn = turn;
    }

    /// The run is running. A yes has the call made exactly as it was shown, a no fails the step.
    void decide(Approval pending, boolean approve, Requester by, @Nullable String note)
            throws SQLException {
        Approval decided =
                pending.answered(
                        approve ? Approval.Status.APPROVED : Approval.Status.REJECTED,
                        new Approval.Answer(turn.nowMs(), by.word(), note));
        ApprovalSql.decide(turn.tx(), turn.account(), decided);
        turn.tell(Subjects.of(decided, by));
        Step step = turn.step(pending.step());
        Task task = turn.task(step.home().task());
        Agent agent = turn.agent(step.home().agent());
        turn.change(task, task.with(task.progress().givenOut(-1)));
        turn.refill(agent.id());
        if (approve) {
            turn.change(step, step.with(step.progress().approvedNow()));
            return;
        }
        Agents.begin(turn, turn.agent(agent.id()));
        Agents.begin(turn, turn.task(task.id()));
        Step closed = turn.change(step, step.with(step.progress().closed()));
        String message =
                "the call of "
                        + pending.tool()
                        + " was rejected"
                        + (note == null ? "" : ": " + Objects.requireNonNull(note));
        new Failing(engine, turn)
                .step(
                        closed,
                        Fault.of(REJECTED, message),
                        Failures.of(WorkError.of(REJECTED, "rejected")),
                        StopReason.NON_RETRYABLE);
    }
}
