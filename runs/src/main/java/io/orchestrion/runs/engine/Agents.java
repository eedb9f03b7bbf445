package io.orchestrion.runs.engine;

import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.TaskStatus;
import io.orchestrion.runs.ticket.Approval;
import io.orchestrion.runs.ticket.ApprovalSql;
import io.orchestrion.runs.tree.Agent;
import io.orchestrion.runs.tree.AttemptSql;
import io.orchestrion.runs.tree.Fault;
import io.orchestrion.runs.tree.Step;
import io.orchestrion.runs.tree.StepSql;
import io.orchestrion.runs.tree.Task;
import io.orchestrion.runs.tree.TaskSql;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/// Stops agents and tasks with everything under them. Items come first: a claim that is under way
/// holds its item, and then the rows of its step.
final class Agents {
    private Agents() {}

    static Set<UUID> ids(Collection<Agent> agents) {
        return agents.stream().map(Agent::id).collect(Collectors.toSet());
    }

    /// Ends what is under way of some agents: items, attempts and approvals.
    ///
    /// @param except attempts that have ended by themselves
    static void cancelSteps(Turn turn, Set<UUID> agents, Set<UUID> except) throws SQLException {
        turn.flush();
        List<UUID> open = StepSql.openOfAgents(turn.tx(), turn.account(), agents);
        cancel(turn, open.stream().filter(each -> !except.contains(each)).toList());
    }

    /// The same of one task.
    static void cancelSteps(Turn turn, Task task) throws SQLException {
        turn.flush();
        cancel(turn, StepSql.openOfTask(turn.tx(), turn.account(), task.id()));
        StepSql.cancelOfTasks(turn.tx(), turn.account(), List.of(task.id()));
        turn.forget();
    }

    private static void cancel(Turn turn, List<UUID> open) throws SQLException {
        if (open.isEmpty()) {
            return;
        }
        turn.revoke(open);
        List<BigDecimal> held = AttemptSql.cancel(turn.tx(), turn.account(), open);
        for (Approval each : ApprovalSql.cancel(turn.tx(), turn.account(), open)) {
            turn.tell(Subjects.of(each, Requester.ENGINE));
        }
        Run run = turn.run();
        turn.change(
                run.with(run.progress().inFlight(run.progress().inFlight() - held.size()))
                        .with(
                                run.credits()
                                        .holding(
                                                held.stream()
                                                        .reduce(BigDecimal.ZERO, BigDecimal::add)
                                                        .negate())));
    }

    /// Takes back what is under way of one step.
    static void withdraw(Turn turn, Step step) throws SQLException {
        UUID open = step.progress().open();
        if (open != null) {
            turn.flush();
            cancel(turn, List.of(open));
        }
    }

    /// Cancels all tasks of an agent that have not ended, and all that is under way of them.
    static void cancelTasks(Turn turn, Agent agent) throws SQLException {
        Set<UUID> one = Set.of(agent.id());
        cancelSteps(turn, one, Set.of());
        StepSql.cancelOfAgents(turn.tx(), turn.account(), one, Set.of());
        TaskSql.cancelOpen(turn.tx(), turn.account(), one, Set.of());
        turn.forget();
    }

    /// Ends an agent, whose tasks have ended.
    static Agent end(Turn turn, Agent agent, AgentStatus to, Fault fault) {
        Agent begun = agent;
        if (agent.status() == AgentStatus.PENDING
                && (to == AgentStatus.COMPLETED || to == AgentStatus.SKIPPED)) {
            begun = begin(turn, agent);
        }
        Agent ended =
                begun.in(to)
                        .with(begun.progress().stopped(false))
                        .with(begun.clock().ended(turn.nowMs()))
                        .with(fault);
        return turn.change(begun, ended);
    }

    static Agent begin(Turn turn, Agent agent) {
        return agent.status() == AgentStatus.PENDING
                ? turn.change(
                        agent,
                        agent.in(AgentStatus.RUNNING).with(agent.clock().running(turn.nowMs())))
                : agent;
    }

    static Task begin(Turn turn, Task task) {
        return task.status() == TaskStatus.PENDING
                ? turn.change(
                        task, task.in(TaskStatus.RUNNING).with(task.clock().running(turn.nowMs())))
                : task;
    }
}
