package io.orchestrion.sdk;

import static io.orchestrion.sdk.Wire.number;
import static io.orchestrion.sdk.Wire.textOrNull;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/// What a planner is asked: to plan a whole run, or what an agent does next.
///
/// ```java
/// RunStepHandler planner = (step, run) -> {
///     PlanRequest asked = PlanRequest.of(step);
///     PlannedAgent[] agents = asked.task().lines()
///             .limit(asked.maxAgents())
///             .map(PlannedAgent::forSubtask)
///             .toArray(PlannedAgent[]::new);
///     return Plan.of(agents).json();
/// };
/// Worker.builder(client).type(PlanRequest.RUN_PLAN).runSteps(planner).start();
/// ```
///
/// A plan that is not valid fails the attempt, and the server says what is wrong with it.
///
/// @param ofRun whether the answer is a [io.orchestrion.sdk.plan.Plan] for the run; else it is
///     [io.orchestrion.sdk.plan.NextTasks] for an agent
/// @param task what the run is to do
/// @param json everything that the server tells the planner
public record PlanRequest(boolean ofRun, String task, JsonNode json) {
    /// The type of steps that ask for the plan of a run.
    public static final String RUN_PLAN = "run_plan";

    /// The type of steps that ask what an agent does next.
    public static final String AGENT_PLAN = "agent_plan";

    /// @throws IllegalArgumentException if the step asks for no plan
    public static PlanRequest of(ClaimedStep step) {
        if (!step.planning()) {
            throw new IllegalArgumentException(
                    "step " + step.stepId() + " calls " + step.tool() + " and asks for no plan");
        }
        JsonNode input = step.input();
        return new PlanRequest(
                step.tool().equals(RUN_PLAN), input.path("task").stringValue(""), input);
    }

    /// What was sent with the run for its planner; missing for nothing.
    public JsonNode context() {
        return json.path("context");
    }

    /// How many agents the plan may have.
    ///
    /// @throws IllegalArgumentException for an agent, whose answer has none
    public int maxAgents() {
        return (int) number(json, "max_agents");
    }

    /// How often the run was planned again; 0 for its first plan.
    public int replanCount() {
        return json.path("replan_count").intValue(0);
    }

    /// The plan that failed; missing for the first one.
    public JsonNode previousDecomposition() {
        return json.path("previous_decomposition");
    }

    /// Which agents failed and why; missing for the first plan.
    public JsonNode failureAnalysis() {
        return json.path("failure_analysis");
    }

    /// What the agent is for; null for the plan of a run.
    public @Nullable String subtask() {
        return textOrNull(json, "subtask");
    }

    /// How often the agent has planned, with this time; 0 for the plan of a run.
    public int round() {
        return json.path("round").intValue(0);
    }

    /// What the tasks of the agent gave so far; missing for the plan of a run.
    public JsonNode outputs() {
        return json.path("outputs");
    }
}
