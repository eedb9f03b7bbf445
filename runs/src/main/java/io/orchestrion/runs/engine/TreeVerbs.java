package io.orchestrion.runs.engine;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.runs.fault.Commit;
import io.orchestrion.runs.plan.Plan;
import io.orchestrion.runs.plan.ReadPlan;
import io.orchestrion.runs.policy.Failure;
import io.orchestrion.runs.policy.Failures;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.run.RunSql;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.runs.state.StepStatus;
import io.orchestrion.runs.tree.Agent;
import io.orchestrion.runs.tree.AgentSql;
import io.orchestrion.runs.tree.Step;
import io.orchestrion.runs.tree.Task;
import io.orchestrion.runs.tree.TaskSql;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.UUID;

/// What people ask of parts of a run.
public final class TreeVerbs {
    /// The error of what somebody has cancelled; it is not retried.
    static final String CANCELLED = "CancelledError";

    private final Engine engine;
    private final RunVerbs verbs;

    TreeVerbs(Engine engine) {
        this.engine = engine;
        this.verbs = new RunVerbs(engine);
    }

    private static Failure cancelledBySomebody() {
        return Failures.of(WorkError.of(CANCELLED, "cancelled"));
    }

    public Ack cancelAgent(Tx tx, Request request, UUID id) throws SQLException {
        return verbs.on(
                tx,
                request,
                Commit.CANCEL_AGENT,
                turn -> {
                    Run run = turn.run();
                    Agent found = AgentSql.find(tx, run.account(), id);
                    if (found == null || !found.run().equals(run.id())) {
                        return new Ack.NotFound();
                    }
                    if (run.status() != RunStatus.RUNNING) {
                        return Ack.wrong(run);
                    }
                    Agent agent = turn.agent(id);
                    if (agent.status().isOver()) {
                        return new Ack.WrongStatus(run, agent.status().word(), false);
                    }
                    new Failing(engine, turn).cancelled(agent, cancelledBySomebody());
                    return new Ack.Done(turn.run(), true);
                });
    }

    public Ack cancelTask(Tx tx, Request request, UUID id) throws SQLException {
        return verbs.on(
                tx,
                request,
                Commit.CANCEL_TASK,
                turn -> {
                    Run run = turn.run();
                    Task found = TaskSql.find(tx, run.account(), id);
                    if (found == null || !found.home().run().equals(run.id())) {
                        return new Ack.NotFound();
                    }
                    if (run.status() != RunStatus.RUNNING) {
                        return Ack.wrong(run);
                    }
                    Task task = turn.task(id);
                    if (task.status().isOver()) {
                        return new Ack.WrongStatus(run, task.status().word(), false);
                    }
                    Agents.begin(turn, turn.agent(task.home().agent()));
                    turn.refill(task.home().agent());
                    new Failing(engine, turn).cancelled(task, cancelledBySomebody());
                    return new Ack.Done(turn.run(), true);
                });
    }

    /// What is wrong with a plan that somebody hands in; null where nothing is. For before the
    /// transaction that takes it: schemas may take a while.
    public @Nullable Ack refusedPlan(Request request, String document) {
        Run seen =
                engine.kernel()
                        .database()
                        .transaction(tx -> RunSql.find(tx, request.account(), request.run()));
        if (seen == null || seen.times().ends().deletedMs() != null) {
            return new Ack.NotFound();
        }
        ReadPlan read =
                engine.plans()
                        .read(request.account(), document, Planning.limits(engine.options(), seen));
        Plan plan = read.plan();
        if (plan == null) {
            return new Ack.BadPlan(read.findings());
        }
        String blocked = ToolPolicies.of(seen.asked().toolPolicies()).blocked(plan);
        return blocked == null ? null : new Ack.BlockedTool(blocked);
    }

    /// Takes a plan of which [#refusedPlan] said nothing. The bounds and policies of a run never
    /// change, so it is good now too.
    public Ack planByHand(Tx tx, Request request, String document) throws SQLException {
        return verbs.on(
                tx,
                request,
                Commit.PLAN_BY_HAND,
                turn -> {
                    Run run = turn.run();
                    if (run.status() != RunStatus.RUNNING) {
                        return Ack.wrong(run);
                    }
                    Step open = new Planning(engine, turn).openPlanning();
                    if (open == null) {
                        return new Ack.WrongStatus(run, "planned", false);
                    }
                    finishByHand(turn, open, document, request);
                    return new Ack.Done(turn.run(), true);
                });
    }

    /// The planning step is completed as if a worker had done it, whose report comes too late.
    private void finishByHand(Turn turn, Step open, String document, Request request)
            throws SQLException {
        Task task = turn.task(open.home().task());
        Agent agent = turn.agent(open.home().agent());
        new Planning(engine, turn).byHand(document, open, request.by());
        Agents.withdraw(turn, turn.step(open.id()));
        Agents.begin(turn, turn.agent(agent.id()));
        Task begun = Agents.begin(turn, turn.task(task.id()));
        turn.change(begun, begun.with(begun.progress().givenOut(-1)));
        Step step = turn.step(open.id());
        if (step.status() == StepStatus.PENDING) {
            step = turn.change(step, step.in(StepStatus.RUNNING));
        }
        int bytes = document.getBytes(StandardCharsets.UTF_8).length;
        Step done =
                turn.change(
                        step,
                        step.in(StepStatus.COMPLETED)
                                .giving(Step.Output.of(document, bytes))
                                .with(step.times().ended(turn.nowMs()))
                                .with(step.progress().closed()));
        new Completing(engine, turn).completedByHand(done);
    }
}
