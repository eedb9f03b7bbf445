package io.orchestrion.runs.engine;

import io.orchestrion.runs.plan.AgentPlan;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.plan.ParallelismMode;
import io.orchestrion.runs.plan.Plan;
import io.orchestrion.runs.plan.ReservedTools;
import io.orchestrion.runs.plan.StepPlan;
import io.orchestrion.runs.plan.TaskPlan;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.StepStatus;
import io.orchestrion.runs.state.TaskStatus;
import io.orchestrion.runs.tree.Agent;
import io.orchestrion.runs.tree.AgentSql;
import io.orchestrion.runs.tree.Clock;
import io.orchestrion.runs.tree.Fault;
import io.orchestrion.runs.tree.Links;
import io.orchestrion.runs.tree.Step;
import io.orchestrion.runs.tree.StepSql;
import io.orchestrion.runs.tree.Task;
import io.orchestrion.runs.tree.TaskSql;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Makes the rows of a plan: agents, tasks and steps, numbered from 0 on, all under the run's lock.
final class Planting {
    /// Rows that one statement inserts.
    private static final int BATCH = 1_000;

    private final Engine engine;
    private final Turn turn;
    private final ToolPolicies policies;
    private final List<Task> tasks = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();

    Planting(Engine engine, Turn turn) {
        this.engine = engine;
        this.turn = turn;
        this.policies = ToolPolicies.of(turn.run().asked().toolPolicies());
    }

    /// The workers of a plan that is in force now.
    List<Agent> plan(Plan plan) {
        var agents = new ArrayList<Agent>();
        int version = turn.run().progress().planVersion();
        for (AgentPlan each : plan.agents()) {
            boolean loops = each.tasks().isEmpty();
            Agent agent =
                    agent(
                            new Agent.Place(
                                    turn.run().attempt(),
                                    version,
                                    agents.size(),
                                    Agent.Role.WORKER),
                            new Agent.Spec(
                                    each.subtask(), each.failureMode(), each.parallelism(), loops));
            if (!loops) {
                tasks(agent, each.tasks(), 0, 0, Map.of());
            }
            agents.add(agent.with(agent.progress().plus(each.tasks().size())));
        }
        write(agents);
        return agents;
    }

    /// An agent whose only step is to plan.
    Agent planner(int sequence, String input) {
        Run run = turn.run();
        Agent agent =
                agent(
                        new Agent.Place(
                                run.attempt(),
                                run.progress().planVersion(),
                                sequence,
                                Agent.Role.PLANNER),
                        new Agent.Spec(
                                run.progress().planVersion() == 0
                                        ? "plan the run"
                                        : "plan the run anew",
                                FailureMode.FAIL_FAST,
                                ParallelismMode.SEQUENTIAL,
                                false));
        planningTask(agent, 0, 0, Step.Kind.RUN_PLAN, ReservedTools.RUN_PLAN, input);
        Agent planner = agent.with(agent.progress().plus(1));
        write(List.of(planner));
        return planner;
    }

    /// The task in which an agent's next tasks are planned.
    Agent planningRound(Agent agent, String input) {
        int round = agent.progress().rounds() + 1;
        planningTask(
                agent,
                agent.progress().tasks(),
                round,
                Step.Kind.AGENT_PLAN,
                ReservedTools.AGENT_PLAN,
                input);
        writeTasks();
        return turn.change(agent, agent.with(agent.progress().anotherRound().plus(1)));
    }

    /// More tasks of an agent, which it planned for itself.
    ///
    /// @param earlier the tasks that it had, by name, and how they ended
    /// @return those that depend on an earlier one that did not end well
    List<UUID> round(Agent agent, List<TaskPlan> more, Map<String, TaskStatus> earlier) {
        List<UUID> hopeless =
                tasks(agent, more, agent.progress().tasks(), agent.progress().rounds(), earlier);
        writeTasks();
        turn.change(agent, agent.with(agent.progress().plus(more.size())));
        return hopeless;
    }

    private Agent agent(Agent.Place place, Agent.Spec spec) {
        Run run = turn.run();
        return new Agent(
                turn.nextId(),
                run.id(),
                place,
                spec,
                AgentStatus.PENDING,
                0,
                Agent.Progress.FIRST,
                Clock.created(run.bounds().timeouts().agentMs(), turn.nowMs()),
                Fault.NONE);
    }

    private void planningTask(
            Agent agent, int sequence, int round, Step.Kind kind, String tool, String input) {
        Task task =
                task(
                        agent,
                        turn.nextId(),
                        new Task.Home(turn.run().id(), agent.id(), sequence, round),
                        new Task.Spec(
                                round == 0 ? "plan" : "plan-" + round,
                                FailureMode.FAIL_FAST,
                                ParallelismMode.SEQUENTIAL),
                        Links.NONE,
                        1);
        tasks.add(task);
        steps.add(
                step(
                        agent,
                        task,
                        turn.nextId(),
                        0,
                        kind,
                        new StepPlan("plan", tool, input, null, null, null, null, List.of()),
                        Links.NONE));
    }

    private List<UUID> tasks(
            Agent agent,
            List<TaskPlan> plans,
            int firstPlace,
            int round,
            Map<String, TaskStatus> earlier) {
        var ids = new HashMap<String, UUID>();
        plans.forEach(each -> ids.put(each.name(), turn.nextId()));
        var dependents = new HashMap<String, List<UUID>>();
        for (TaskPlan each : plans) {
            for (String name : each.dependencies()) {
                dependents
                        .computeIfAbsent(name, _ -> new ArrayList<>())
                        .add(idOf(ids, each.name()));
            }
        }
        var hopeless = new ArrayList<UUID>();
        int place = firstPlace;
        for (TaskPlan each : plans) {
            UUID id = idOf(ids, each.name());
            int unmet = 0;
            boolean lost = false;
            for (String name : each.dependencies()) {
                if (ids.containsKey(name)) {
                    unmet++;
                } else if (earlier.get(name) != TaskStatus.COMPLETED) {
                    lost = true;
                }
            }
            if (lost) {
                hopeless.add(id);
            }
            Task task =
                    task(
                            agent,
                            id,
                            new Task.Home(turn.run().id(), agent.id(), place++, round),
                            new Task.Spec(each.name(), each.failureMode(), each.parallelism()),
                            new Links(
                                    each.dependencies(),
                                    dependents.getOrDefault(each.name(), List.of()),
                                    unmet),
                            each.steps().size());
            tasks.add(task);
            steps(agent, task, each.steps());
        }
        return hopeless;
    }

    private static UUID idOf(Map<String, UUID> ids, String name) {
        UUID id = ids.get(name);
        if (id == null) {
            throw new IllegalStateException("nothing is called " + name);
        }
        return id;
    }

    private Task task(
            Agent agent, UUID id, Task.Home home, Task.Spec spec, Links links, int stepCount) {
        return new Task(
                id,
                home,
                spec,
                links,
                TaskStatus.PENDING,
                0,
                Task.Progress.of(stepCount),
                Clock.created(
                        agent.isPlanner()
                                ? agent.clock().timeoutMs()
                                : turn.run().bounds().timeouts().taskMs(),
                        turn.nowMs()),
                Fault.NONE);
    }

    private void steps(Agent agent, Task task, List<StepPlan> plans) {
        var ids = new HashMap<String, UUID>();
        plans.forEach(each -> ids.put(each.name(), turn.nextId()));
        var dependents = new HashMap<String, List<UUID>>();
        for (StepPlan each : plans) {
            for (String name : each.dependencies()) {
                dependents
                        .computeIfAbsent(name, _ -> new ArrayList<>())
                        .add(idOf(ids, each.name()));
            }
        }
        int place = 0;
        for (StepPlan each : plans) {
            var links =
                    new Links(
                            each.dependencies(),
                            dependents.getOrDefault(each.name(), List.of()),
                            each.dependencies().size());
            steps.add(
                    step(
                            agent,
                            task,
                            idOf(ids, each.name()),
                            place++,
                            Step.Kind.TOOL,
                            each,
                            links));
        }
    }

    private Step step(
            Agent agent,
            Task task,
            UUID id,
            int place,
            Step.Kind kind,
            StepPlan plan,
            Links links) {
        Integer attempts = plan.maxAttempts();
        return new Step(
                id,
                new Step.Home(turn.run().id(), agent.id(), task.id(), place, plan.name(), kind),
                new Step.Call(
                        plan.tool(),
                        plan.input(),
                        plan.timeoutMs(),
                        attempts == null ? engine.options().attempts().step() : attempts,
                        plan.maxTokens(),
                        plan.outputSchema(),
                        policies.confirmed(plan.tool()),
                        key(agent, task, place)),
                links,
                StepStatus.PENDING,
                0,
                Step.Progress.FIRST,
                null,
                new Step.Times(turn.nowMs(), null, null),
                Fault.NONE);
    }

    /// The same for every attempt of the step, of its task and of its agent: tools may know by it
    /// that something was done before. Another attempt of the run has other keys.
    private String key(Agent agent, Task task, int place) {
        String text =
                String.join(
                        ":",
                        "run",
                        turn.run().id().toString(),
                        Integer.toString(agent.place().attempt()),
                        Integer.toString(agent.place().planVersion()),
                        agent.place().role().word(),
                        Integer.toString(agent.place().sequence()),
                        Integer.toString(task.home().sequence()),
                        Integer.toString(place));
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    private void write(List<Agent> agents) {
        AgentSql.insert(turn.tx(), turn.account(), agents);
        turn.change(turn.run().with(turn.run().counts().plus(agents.size(), 0, 0)));
        writeTasks();
        agents.forEach(each -> turn.refill(each.id()));
    }

    private void writeTasks() {
        turn.change(turn.run().with(turn.run().counts().plus(0, tasks.size(), steps.size())));
        for (int from = 0; from < tasks.size(); from += BATCH) {
            TaskSql.insert(
                    turn.tx(),
                    turn.account(),
                    List.copyOf(tasks.subList(from, Math.min(tasks.size(), from + BATCH))));
        }
        for (int from = 0; from < steps.size(); from += BATCH) {
            StepSql.insert(
                    turn.tx(),
                    turn.account(),
                    List.copyOf(steps.subList(from, Math.min(steps.size(), from + BATCH))));
        }
        tasks.clear();
        steps.clear();
    }
}
