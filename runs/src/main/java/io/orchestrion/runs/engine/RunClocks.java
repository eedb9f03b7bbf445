package io.orchestrion.runs.engine;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.runs.fault.Commit;
import io.orchestrion.runs.policy.Failure;
import io.orchestrion.runs.policy.Failures;
import io.orchestrion.runs.policy.StopReason;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.runs.state.TaskStatus;
import io.orchestrion.runs.tree.Agent;
import io.orchestrion.runs.tree.Fault;
import io.orchestrion.runs.tree.Task;

import java.sql.SQLException;
import java.util.List;

/// Ends what took too long: runs in whatever state they are, agents and tasks that run. The times
/// are stored, so that it makes no difference which node looks, or when.
final class RunClocks implements Sweeper {
    static final String NAME = "run-clocks";
    private static final int BATCH = 100;

    private final Engine engine;

    RunClocks(Engine engine) {
        this.engine = engine;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int fullPass() {
        return BATCH;
    }

    private interface Look {
        List<SweepSql.Due> at(Tx tx, int most) throws SQLException;
    }

    private interface End {
        boolean of(Turn turn, SweepSql.Due due) throws SQLException;
    }

    @Override
    public int runOnce() {
        return each(SweepSql::dueTasks, this::endTask)
                + each(SweepSql::dueAgents, this::endAgent)
                + each(SweepSql::dueRuns, (turn, _) -> endRun(turn));
    }

    private int each(Look look, End end) {
        List<SweepSql.Due> due = engine.kernel().database().transaction(tx -> look.at(tx, BATCH));
        return Sweeps.each(NAME, due, one -> inOne(one, end) ? 1 : 0);
    }

    private boolean inOne(SweepSql.Due due, End end) {
        Boolean ended =
                engine.kernel()
                        .database()
                        .retried(
                                (Tx tx) ->
                                        engine.withFreeRun(
                                                tx,
                                                Commit.TIME_IS_UP,
                                                due.account(),
                                                due.run(),
                                                turn -> end.of(turn, due)));
        return Boolean.TRUE.equals(ended);
    }

    private static Failure timeout() {
        return Failures.of(WorkError.of(Failures.TIMEOUT, "took too long"));
    }

    private boolean endTask(Turn turn, SweepSql.Due due) throws SQLException {
        Task task = turn.task(due.id());
        Long deadline = task.clock().deadlineMs();
        if (!turn.isRunning()
                || task.status() != TaskStatus.RUNNING
                || deadline == null
                || deadline > turn.nowMs()) {
            return false;
        }
        Agents.begin(turn, turn.agent(task.home().agent()));
        turn.refill(task.home().agent());
        new Failing(engine, turn)
                .task(
                        task,
                        Fault.of(Failures.TIMEOUT, "the task took too long"),
                        timeout(),
                        StopReason.TIMEOUT);
        return true;
    }

    private boolean endAgent(Turn turn, SweepSql.Due due) throws SQLException {
        Agent agent = turn.agent(due.id());
        Long deadline = agent.clock().deadlineMs();
        if (!turn.isRunning()
                || agent.status() != AgentStatus.RUNNING
                || deadline == null
                || deadline > turn.nowMs()) {
            return false;
        }
        new Failing(engine, turn)
                .agent(
                        agent,
                        Fault.of(Failures.TIMEOUT, "the agent took too long"),
                        timeout(),
                        StopReason.TIMEOUT);
        return true;
    }

    private boolean endRun(Turn turn) throws SQLException {
        Run run = turn.run();
        Long deadline = run.times().deadlineMs();
        if (deadline == null || deadline > turn.nowMs()) {
            return false;
        }
        if (run.status() == RunStatus.PAUSED) {
            new Finish(engine, turn).cancel(Requester.ENGINE, "paused for too long");
            return true;
        }
        if (!run.status().mayBecome(RunStatus.FAILED)) {
            return false;
        }
        new Finish(engine, turn)
                .fail(
                        Finish.Why.of(
                                Failures.TIMEOUT,
                                "the run was " + run.status().word() + " for too long",
                                StopReason.TIMEOUT),
                        null);
        return true;
    }
}
