package io.orchestrion.runs.plan;

import io.orchestrion.kernel.document.Fields;
import io.orchestrion.kernel.document.Pointers;
import io.orchestrion.kernel.document.SchemaReader;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Reads agents and their tasks.
final class AgentReader {
    private static final Set<String> PLAN = Set.of("agents");
    private static final Set<String> ROUND = Set.of("tasks", "continue");
    private static final Set<String> AGENT =
            Set.of("subtask", "failure_mode", "parallelism_mode", "tasks");
    private static final Set<String> TASK =
            Set.of("name", "failure_mode", "parallelism_mode", "dependencies", "steps");

    private final PlanLimits limits;
    private final StepReader reader;

    /// @param steps that the plan has already
    AgentReader(PlanLimits limits, SchemaReader schemas, int steps) {
        this.limits = limits;
        reader = new StepReader(limits, schemas, steps);
    }

    List<AgentPlan> agents(Fields document) {
        document.only(PLAN);
        var agents = new ArrayList<AgentPlan>();
        JsonNode list = document.list("agents", 1, limits.agents());
        for (int i = 0; i < list.size(); i++) {
            agents.add(agent(child(document, "agents", list, i)));
        }
        reader.checkCount(document);
        return agents;
    }

    ReadTasks.Round round(Fields document, Earlier earlier) {
        document.only(ROUND);
        int left = Math.max(0, limits.tasks() - earlier.taskNames().size());
        List<TaskPlan> tasks =
                tasks(
                        document,
                        document.list("tasks", 0, left),
                        earlier.parallelism(),
                        earlier.taskNames());
        boolean again = Boolean.TRUE.equals(document.flag("continue"));
        if (again && tasks.isEmpty()) {
            document.findings()
                    .add(
                            PlanCode.EMPTY_ROUND,
                            document.at("tasks"),
                            "There is no task to do before the next round of planning.",
                            "Give at least one task, or set continue to false.");
        }
        reader.checkCount(document);
        return new ReadTasks.Round(tasks, again);
    }

    private AgentPlan agent(Fields fields) {
        for (String name : fields.names()) {
            if (name.equals("dependencies")) {
                fields.findings()
                        .add(
                                PlanCode.AGENT_DEPENDENCY,
                                fields.at(name),
                                "Agents do not depend on each other.",
                                "Put what depends on each other into tasks of one agent.");
            } else if (!AGENT.contains(name)) {
                fields.unknown(name, AGENT);
            }
        }
        String subtask = fields.requiredText("subtask", PlanLimits.SUBTASK_CHARACTERS);
        FailureMode failure = failureMode(fields);
        ParallelismMode parallelism = parallelism(fields);
        List<TaskPlan> tasks =
                fields.has("tasks")
                        ? tasks(
                                fields,
                                fields.list("tasks", 0, limits.tasks()),
                                parallelism,
                                Set.of())
                        : List.of();
        return new AgentPlan(subtask, failure, parallelism, tasks);
    }

    private List<TaskPlan> tasks(
            Fields parent, JsonNode list, ParallelismMode parallelism, Set<String> earlier) {
        var dependencies = new Dependencies(parent, "tasks", parallelism, earlier);
        var tasks = new ArrayList<TaskPlan>();
        for (int i = 0; i < list.size(); i++) {
            TaskPlan task = task(child(parent, "tasks", list, i));
            dependencies.add(task.name(), task.dependencies());
            tasks.add(task);
        }
        dependencies.check();
        return tasks;
    }

    private TaskPlan task(Fields fields) {
        fields.only(TASK);
        String name = fields.requiredLine("name", PlanLimits.NAME_CHARACTERS);
        FailureMode failure = failureMode(fields);
        ParallelismMode parallelism = parallelism(fields);
        List<String> after = Dependencies.names(fields);
        var dependencies = new Dependencies(fields, "steps", parallelism, Set.of());
        var steps = new ArrayList<StepPlan>();
        JsonNode list = fields.list("steps", 1, limits.steps());
        for (int i = 0; i < list.size(); i++) {
            StepPlan step = reader.read(child(fields, "steps", list, i));
            dependencies.add(step.name(), step.dependencies());
            steps.add(step);
        }
        dependencies.check();
        return new TaskPlan(name, failure, parallelism, after, steps);
    }

    private static Fields child(Fields parent, String name, JsonNode list, int index) {
        return new Fields(
                list.get(index), Pointers.child(parent.at(name), index), parent.findings());
    }

    private static FailureMode failureMode(Fields fields) {
        String word = fields.word("failure_mode", FailureMode.words());
        return word == null ? FailureMode.FAIL_FAST : FailureMode.named(word).orElseThrow();
    }

    private static ParallelismMode parallelism(Fields fields) {
        String word = fields.word("parallelism_mode", ParallelismMode.words());
        return word == null
                ? ParallelismMode.SEQUENTIAL
                : ParallelismMode.named(word).orElseThrow();
    }
}
