package io.orchestrion.sdk.plan;

import tools.jackson.databind.node.ObjectNode;

/// One agent of a [Plan]. Each method changes it and returns it.
///
/// ```java
/// PlannedAgent reader = PlannedAgent.forSubtask("Read the sources")
///         .onFailure(FailureMode.CONTINUE)
///         .inMode(ParallelismMode.DAG)
///         .task(PlannedTask.named("fetch").step(PlannedStep.named("fetch", "fetch-page")))
///         .task(PlannedTask.named("sum up").after("fetch")
///                 .step(PlannedStep.named("sum up", "summarize")));
/// ```
public final class PlannedAgent {
    final ObjectNode node = PlanNodes.object();

    private PlannedAgent(String subtask) {
        node.put("subtask", subtask);
    }

    /// @param subtask what the agent is for, 1 to 10000 characters
    public static PlannedAgent forSubtask(String subtask) {
        return new PlannedAgent(subtask);
    }

    /// Adds a task. Without any, the agent plans its tasks itself.
    public PlannedAgent task(PlannedTask task) {
        node.withArray("tasks").add(task.node.deepCopy());
        return this;
    }

    /// What the failure of one of its tasks means for the agent.
    public PlannedAgent onFailure(FailureMode mode) {
        node.put("failure_mode", mode.word());
        return this;
    }

    /// Which of its tasks may be done at a time.
    public PlannedAgent inMode(ParallelismMode mode) {
        node.put("parallelism_mode", mode.word());
        return this;
    }
}
