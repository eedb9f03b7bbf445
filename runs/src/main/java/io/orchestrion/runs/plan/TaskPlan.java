package io.orchestrion.runs.plan;

import java.util.List;

/// A task of an agent.
///
/// @param parallelism of its steps
/// @param dependencies names of tasks of the same agent that must have ended well before
public record TaskPlan(
        String name,
        FailureMode failureMode,
        ParallelismMode parallelism,
        List<String> dependencies,
        List<StepPlan> steps) {
    public TaskPlan {
        dependencies = List.copyOf(dependencies);
        steps = List.copyOf(steps);
    }
}
