package io.orchestrion.runs.plan;

import java.util.List;

/// What a run is made of. Agents do not depend on each other.
public record Plan(List<AgentPlan> agents) {
    public Plan {
        agents = List.copyOf(agents);
    }

    public int taskCount() {
        return agents.stream().mapToInt(agent -> agent.tasks().size()).sum();
    }

    public int stepCount() {
        return agents.stream()
                .flatMap(agent -> agent.tasks().stream())
                .mapToInt(task -> task.steps().size())
                .sum();
    }
}
