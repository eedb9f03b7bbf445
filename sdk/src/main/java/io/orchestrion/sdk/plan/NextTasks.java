package io.orchestrion.sdk.plan;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What an agent does next, as it has planned itself: the answer to the step `agent_plan`.
///
/// ```java
/// RunStepHandler agent = (step, run) -> PlanRequest.of(step).round() == 1
///         ? NextTasks.thenAgain(
///                 PlannedTask.named("look").step(PlannedStep.named("search", "search"))).json()
///         : NextTasks.DONE.json();
/// Worker.builder(client).type("agent_plan").runSteps(agent).start();
/// ```
///
/// @param json the document, as the result of the step `agent_plan`
public record NextTasks(String json) {
    /// There is nothing more to do: the agent has completed.
    public static final NextTasks DONE = of(false);

    /// The last tasks. The agent has completed when they have.
    public static NextTasks last(PlannedTask... tasks) {
        return of(false, tasks);
    }

    /// Some tasks, after which the agent plans once more with what they gave.
    ///
    /// @throws IllegalArgumentException if there is no task: the agent would plan for ever
    public static NextTasks thenAgain(PlannedTask... tasks) {
        if (tasks.length == 0) {
            throw new IllegalArgumentException("another round needs a task before it");
        }
        return of(true, tasks);
    }

    private static NextTasks of(boolean again, PlannedTask... tasks) {
        ObjectNode document = PlanNodes.object();
        ArrayNode list = document.putArray("tasks");
        for (PlannedTask task : tasks) {
            list.add(task.node.deepCopy());
        }
        if (again) {
            document.put("continue", true);
        }
        return new NextTasks(PlanNodes.text(document));
    }
}
