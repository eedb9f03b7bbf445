package io.orchestrion.runs.read;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.read.ReadSql.Level;
import io.orchestrion.runs.run.Run;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// A page of all agents, tasks and steps of an attempt of a run, each followed by what it consists
/// of.
///
/// @param costs what they have used so far, by their ids; those that have used nothing are left out
public record RunTree(List<Node> nodes, Map<UUID, Spent> costs) {
    /// Planners and the agents of so many plans.
    private static final int AGENTS_MAX = 1_000;

    /// What stands in the tree.
    public sealed interface Node {
        AgentView agent();

        /// Where it stands.
        Place place();

        record Agent(AgentView agent) implements Node {
            @Override
            public Place place() {
                return new Place(agent.id(), -1, -1);
            }
        }

        record Task(AgentView agent, TaskView task) implements Node {
            @Override
            public Place place() {
                return new Place(agent.id(), task.place().sequence(), -1);
            }
        }

        record Step(AgentView agent, TaskView task, StepView step) implements Node {
            @Override
            public Place place() {
                return new Place(agent.id(), task.place().sequence(), step.place().sequence());
            }
        }
    }

    /// A place in the tree.
    ///
    /// @param task of a task or step, its task's place in the agent; -1 for the agent itself
    /// @param step of a step, its place in the task; -1 for the task itself
    public record Place(UUID agent, int task, int step) {}

    /// @param after the last node of the page before; null for the first page
    static RunTree read(Tx tx, Run run, int attempt, @Nullable Place after, int most)
            throws SQLException {
        var reading = new Reading(tx, run.account(), most);
        List<AgentView> agents =
                ReadSql.agents(tx, run.account(), run.id(), attempt, null, AGENTS_MAX);
        for (AgentView agent : agents) {
            int order = after == null ? 1 : agent.id().compareTo(after.agent());
            if (order == 0 && after != null) {
                reading.rest(agent, after);
            } else if (order > 0) {
                reading.whole(agent);
            }
            if (reading.isFull()) {
                break;
            }
        }
        return new RunTree(reading.nodes, reading.costs());
    }

    /// Collects nodes until there are enough.
    private static final class Reading {
        private final Tx tx;
        private final UUID account;
        private final int most;
        private final List<Node> nodes = new ArrayList<>();

        Reading(Tx tx, UUID account, int most) {
            this.tx = tx;
            this.account = account;
            this.most = most;
        }

        int room() {
            return most - nodes.size();
        }

        boolean isFull() {
            return room() <= 0;
        }

        void whole(AgentView agent) throws SQLException {
            nodes.add(new Node.Agent(agent));
            tasks(agent, -1);
        }

        /// What is after that place.
        void rest(AgentView agent, Place after) throws SQLException {
            if (after.task() >= 0) {
                List<TaskView> begun = ReadSql.tasks(tx, account, agent.id(), after.task() - 1, 1);
                if (!begun.isEmpty() && begun.getFirst().place().sequence() == after.task()) {
                    steps(agent, begun.getFirst(), after.step());
                }
            }
            tasks(agent, after.task());
        }

        private void tasks(AgentView agent, int after) throws SQLException {
            if (isFull()) {
                return;
            }
            for (TaskView task : ReadSql.tasks(tx, account, agent.id(), after, room())) {
                if (isFull()) {
                    return;
                }
                nodes.add(new Node.Task(agent, task));
                steps(agent, task, -1);
            }
        }

        private void steps(AgentView agent, TaskView task, int after) throws SQLException {
            if (isFull() || task.steps().count() == 0) {
                return;
            }
            for (StepView step : ReadSql.steps(tx, account, task.id(), after, room())) {
                nodes.add(new Node.Step(agent, task, step));
            }
        }

        Map<UUID, Spent> costs() throws SQLException {
            var agents = new ArrayList<UUID>();
            var tasks = new ArrayList<UUID>();
            var steps = new ArrayList<UUID>();
            for (Node node : nodes) {
                switch (node) {
                    case Node.Agent(var agent) -> agents.add(agent.id());
                    case Node.Task(_, var task) -> tasks.add(task.id());
                    case Node.Step(_, _, var step) -> steps.add(step.id());
                }
            }
            var costs = new HashMap<UUID, Spent>();
            costs.putAll(ReadSql.costs(tx, account, Level.AGENT, agents));
            costs.putAll(ReadSql.costs(tx, account, Level.TASK, tasks));
            costs.putAll(ReadSql.costs(tx, account, Level.STEP, steps));
            return costs;
        }
    }
}
