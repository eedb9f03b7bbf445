package io.orchestrion.runs.engine;

import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.runs.policy.Failures;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.runs.state.StepStatus;
import io.orchestrion.runs.state.TaskStatus;
import io.orchestrion.runs.tree.Agent;
import io.orchestrion.runs.tree.Fault;
import io.orchestrion.runs.tree.Step;
import io.orchestrion.runs.tree.StepSql;
import io.orchestrion.runs.tree.Task;
import io.orchestrion.runs.tree.TaskSql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/// What follows upwards from something that has ended: a task ends with its last step, an agent
/// with its last task, and the run with its last agent. Parents count their children, so that
/// nobody reads siblings.
final class Completing {
    private final Engine engine;
    private final Turn turn;

    Completing(Engine engine, Turn turn) {
        this.engine = engine;
        this.turn = turn;
    }

    /// A step has its output.
    void completed(Step step) throws SQLException {
        switch (step.home().kind()) {
            case TOOL -> {}
            case RUN_PLAN -> new Planning(engine, turn).planned(step);
            case AGENT_PLAN -> new Planning(engine, turn).plannedRound(step);
        }
        completedByHand(step);
    }

    /// The same of a step whose output somebody has seen to.
    void completedByHand(Step step) throws SQLException {
        if (!step.links().dependents().isEmpty()) {
            turn.flush();
            StepSql.meet(turn.tx(), turn.account(), step.links().dependents());
        }
        Task task = turn.task(step.home().task());
        turn.change(task, task.with(task.progress().ended(true)));
        lookAtTask(task.id());
    }

    /// A step has failed and its task goes on without it.
    void skipped(Step failed) throws SQLException {
        Step step =
                turn.change(
                        failed,
                        failed.in(StepStatus.SKIPPED).with(failed.fault().skipped("tolerated")));
        Task task = turn.task(step.home().task());
        turn.change(
                task,
                task.with(task.progress().ended(false))
                        .with(new Fault(null, step.fault().code(), step.fault().message())));
        skipSteps(step);
        lookAtTask(task.id());
    }

    /// What depends on a step that did not end well is never done, nor what depends on that.
    private void skipSteps(Step step) throws SQLException {
        List<UUID> next = step.links().dependents();
        int skipped = 0;
        while (!next.isEmpty()) {
            turn.flush();
            var further = new ArrayList<UUID>();
            for (Step each : StepSql.skip(turn.tx(), turn.account(), next)) {
                skipped++;
                turn.tell(Subjects.of(StepStatus.PENDING, each));
                further.addAll(each.links().dependents());
            }
            next = further;
        }
        for (int i = 0; i < skipped; i++) {
            Task task = turn.task(step.home().task());
            turn.change(task, task.with(task.progress().ended(false)));
        }
    }

    /// Whether all steps of a task have ended.
    private void lookAtTask(UUID id) throws SQLException {
        Task task = turn.task(id);
        if (task.progress().open() > 0) {
            return;
        }
        boolean well = task.progress().completed() > 0 || task.progress().steps() == 0;
        TaskStatus to = well ? TaskStatus.COMPLETED : TaskStatus.SKIPPED;
        Fault fault = well ? Fault.NONE : task.fault().skipped("steps_skipped");
        boolean active = task.progress().active();
        Task ended =
                turn.change(
                        task,
                        task.in(to)
                                .with(task.progress().stopped())
                                .with(task.clock().ended(turn.nowMs()))
                                .with(fault));
        taskEnded(ended, active);
    }

    /// A task has failed and its agent goes on without it.
    void skipped(Task failed, boolean active) throws SQLException {
        Task task =
                turn.change(
                        failed,
                        failed.in(TaskStatus.SKIPPED).with(failed.fault().skipped("tolerated")));
        taskEnded(task, active);
    }

    /// The same for one that somebody has cancelled.
    void cancelledTask(Task cancelled, boolean active) throws SQLException {
        taskEnded(cancelled, active);
    }

    private void taskEnded(Task task, boolean active) throws SQLException {
        boolean well = task.status() == TaskStatus.COMPLETED;
        Agent agent = turn.agent(task.home().agent());
        Agent counted = agent.with(agent.progress().ended(active, well));
        turn.change(
                agent,
                well || task.fault().code() == null
                        ? counted
                        : counted.with(
                                new Fault(null, task.fault().code(), task.fault().message())));
        if (well && !task.links().dependents().isEmpty()) {
            turn.flush();
            TaskSql.meet(turn.tx(), turn.account(), task.links().dependents());
        }
        if (!well) {
            skipTasks(task);
        }
        lookAtAgent(agent.id());
    }

    private void skipTasks(Task task) throws SQLException {
        skipTasks(task.home().agent(), task.links().dependents());
    }

    /// Tasks that can never be done, and what depends on them.
    void skipTasks(UUID of, List<UUID> first) throws SQLException {
        List<UUID> next = first;
        while (!next.isEmpty()) {
            turn.flush();
            var further = new ArrayList<UUID>();
            var gone = new ArrayList<UUID>();
            for (Task each : TaskSql.skip(turn.tx(), turn.account(), next)) {
                gone.add(each.id());
                turn.tell(Subjects.of(TaskStatus.PENDING, each));
                further.addAll(each.links().dependents());
                Agent agent = turn.agent(of);
                turn.change(agent, agent.with(agent.progress().ended(false, false)));
            }
            StepSql.cancelOfTasks(turn.tx(), turn.account(), gone);
            next = further;
        }
    }

    /// Whether all tasks of an agent have ended.
    void lookAtAgent(UUID id) throws SQLException {
        Agent agent = turn.agent(id);
        turn.refill(id);
        if (agent.status().isOver() || agent.progress().open() > 0) {
            return;
        }
        // A round that failed and is tolerated has left the agent as it was.
        if (agent.spec().loops()
                && agent.progress().rounds() < engine.options().attempts().rounds()) {
            new Planning(engine, turn).nextRound(agent);
            return;
        }
        boolean well = agent.progress().completed() > 0 || agent.progress().tasks() == 0;
        if (well) {
            tolerated(Agents.end(turn, agent, AgentStatus.COMPLETED, Fault.NONE));
        } else if (agent.isPlanner()) {
            tolerated(Agents.end(turn, agent, AgentStatus.SKIPPED, agent.fault()));
        } else {
            nothingDone(agent);
        }
    }

    /// All tasks of an agent were skipped. Where that ends the run, the agent is the one that the
    /// run failed at.
    private void nothingDone(Agent agent) throws SQLException {
        turn.change(turn.run().with(turn.run().counts().lostAgent()));
        var planning = new Planning(engine, turn);
        Agent ended =
                Agents.end(
                        turn,
                        agent,
                        planning.endsRun(agent) ? AgentStatus.FAILED : AgentStatus.SKIPPED,
                        agent.fault());
        planning.replanIfWanted(
                ended,
                ended.fault(),
                Failures.of(
                        WorkError.of(
                                Objects.requireNonNullElse(
                                        ended.fault().code(), WorkError.UNSPECIFIED),
                                "every task was skipped")));
        lookAtRun();
    }

    /// An agent has ended, and what its run does about it is decided: it goes on.
    void tolerated(Agent agent) throws SQLException {
        Run run = turn.run();
        if (agent.isPlanner()) {
            if (agent.id().equals(run.progress().replanner())) {
                turn.change(run.with(run.progress().replannedBy(null)));
            }
        } else if (agent.status() == AgentStatus.COMPLETED) {
            turn.change(run.with(run.counts().completedOne()));
        } else {
            turn.change(run.with(run.counts().lostAgent()));
        }
        lookAtRun();
    }

    /// Whether all agents of the newest plan have ended.
    private void lookAtRun() throws SQLException {
        if (turn.run().status() != RunStatus.RUNNING
                || turn.run().counts().plan().open() > 0
                || turn.run().progress().replanner() != null) {
            return;
        }
        if (turn.run().counts().plan().anyCompleted()) {
            new Finish(engine, turn).complete();
        } else {
            new Finish(engine, turn).skip();
        }
    }
}
