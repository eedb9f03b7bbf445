package io.orchestrion.runs.plan;

import java.util.List;

/// An agent of a run.
///
/// @param parallelism of its tasks
/// @param tasks none for an agent whose tasks are planned by a worker, step by step
public record AgentPlan(
        String subtask,
        FailureMode failureMode,
        ParallelismMode parallelism,
        List<TaskPlan> tasks) {
    public AgentPlan {
        tasks = List.copyOf(tasks);
    }
}
