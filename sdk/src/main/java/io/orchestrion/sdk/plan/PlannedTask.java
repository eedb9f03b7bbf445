package io.orchestrion.sdk.plan;

import tools.jackson.databind.node.ObjectNode;

/// One task of an agent. Each method changes it and returns it.
///
/// ```java
/// PlannedTask task = PlannedTask.named("compare")
///         .after("first source", "second source")
///         .step(PlannedStep.named("read", "read-file"))
///         .step(PlannedStep.named("compare", "compare-texts"));
/// ```
public final class PlannedTask {
    final ObjectNode node = PlanNodes.object();

    private PlannedTask(String name) {
        node.put("name", name);
        node.putArray("steps");
    }

    /// @param name that no other task of the agent has, 1 to 200 characters
    public static PlannedTask named(String name) {
        return new PlannedTask(name);
    }

    /// Adds a step; a task needs at least one.
    public PlannedTask step(PlannedStep step) {
        node.withArray("steps").add(step.node.deepCopy());
        return this;
    }

    /// Names of tasks of the same agent that must have ended well before.
    public PlannedTask after(String... tasks) {
        for (String task : tasks) {
            node.withArray("dependencies").add(task);
        }
        return this;
    }

    /// What the failure of one of its steps means for the task.
    public PlannedTask onFailure(FailureMode mode) {
        node.put("failure_mode", mode.word());
        return this;
    }

    /// Which of its steps may be done at a time.
    public PlannedTask inMode(ParallelismMode mode) {
        node.put("parallelism_mode", mode.word());
        return this;
    }
}
