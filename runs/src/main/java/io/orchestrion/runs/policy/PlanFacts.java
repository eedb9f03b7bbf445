package io.orchestrion.runs.policy;

import io.orchestrion.kernel.json.JsonWriter;

/// Everything that the decision about another plan rests on. Failures that were tolerated count;
/// planners and earlier plans do not.
///
/// @param running whether the run is: another plan is made in no other state
/// @param agents of the current plan
/// @param replans that were made in this attempt of the run
/// @param creditsLeft whether the rest of the reservation pays for planning
/// @param fixed whether the plan came with the run and nobody plans
public record PlanFacts(
        boolean running,
        int agents,
        int failedAgents,
        int failedTasks,
        int replans,
        int maxReplans,
        boolean creditsLeft,
        boolean fixed) {
    public String json(PolicySettings settings) {
        return JsonWriter.objectText(
                out -> {
                    write(out);
                    out.object("thresholds", settings::write);
                });
    }

    void write(JsonWriter out) {
        out.bool("running", running)
                .integer("agents", agents)
                .integer("failed_agents", failedAgents)
                .integer("failed_tasks", failedTasks)
                .integer("replans", replans)
                .integer("max_replans", maxReplans)
                .bool("credits_left", creditsLeft)
                .bool("static_plan", fixed);
    }
}
