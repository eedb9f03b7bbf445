package io.orchestrion.runs.engine;

import io.orchestrion.runs.plan.AgentPlan;
import io.orchestrion.runs.plan.Plan;
import io.orchestrion.runs.plan.StepPlan;
import io.orchestrion.runs.plan.TaskPlan;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What a run may call: each tool as a matter of course, after a person said yes, or not at all.
record ToolPolicies(Map<String, String> byTool) {
    static final String CONFIRM = "confirm";
    static final String BLOCK = "block";

    /// @param json `{tool: allow | confirm | block}`; null for all allowed
    static ToolPolicies of(@Nullable String json) {
        var byTool = new HashMap<String, String>();
        if (json != null) {
            for (Map.Entry<String, JsonNode> each : Envelopes.JSON.readTree(json).properties()) {
                byTool.put(each.getKey(), each.getValue().asString());
            }
        }
        return new ToolPolicies(Map.copyOf(byTool));
    }

    boolean confirmed(String tool) {
        return CONFIRM.equals(byTool.get(tool));
    }

    /// A tool of the plan that is blocked; null for none.
    @Nullable String blocked(Plan plan) {
        return plan.agents().stream()
                .map(AgentPlan::tasks)
                .map(this::blocked)
                .filter(each -> each != null)
                .findFirst()
                .orElse(null);
    }

    @Nullable String blocked(List<TaskPlan> tasks) {
        return tasks.stream()
                .flatMap(task -> task.steps().stream())
                .map(StepPlan::tool)
                .filter(tool -> BLOCK.equals(byTool.get(tool)))
                .findFirst()
                .orElse(null);
    }
}
