package io.orchestrion.runs.plan;

import java.util.Set;

/// What an agent and its run have already, when the agent plans more tasks.
///
/// @param parallelism of the agent's tasks
/// @param taskNames of the agent: new tasks may depend on them and may not have their names
/// @param steps of the run's current plan
public record Earlier(ParallelismMode parallelism, Set<String> taskNames, int steps) {
    public Earlier {
        taskNames = Set.copyOf(taskNames);
    }
}
