package io.orchestrion.runs.llm;

import io.orchestrion.runs.plan.Earlier;
import io.orchestrion.runs.plan.ParallelismMode;
import io.orchestrion.runs.plan.PlanLimits;
import io.orchestrion.runs.plan.ReservedTools;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.HashSet;

/// What a planning step is told: the `input` of its envelope. The model gets all of it; here is
/// read what the check of its answer needs.
///
/// @param tool [ReservedTools#RUN_PLAN] or [ReservedTools#AGENT_PLAN]
/// @param json of the input
record PlanningInput(String tool, JsonNode json) {
    private static final JsonMapper JSON = JsonMapper.shared();

    static PlanningInput of(String payload) {
        JsonNode envelope = JSON.readTree(payload);
        return new PlanningInput(envelope.path("tool").asString(""), envelope.path("input"));
    }

    boolean ofRun() {
        return tool.equals(ReservedTools.RUN_PLAN);
    }

    PlanLimits limits(PlanLimits usual) {
        JsonNode agents = json.path("max_agents");
        return agents.isInt() ? usual.withAgents(agents.intValue()) : usual;
    }

    /// What an agent has already.
    Earlier earlier() {
        var names = new HashSet<String>();
        for (JsonNode task : json.path("tasks")) {
            String name = task.path("name").asString("");
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
        return new Earlier(
                ParallelismMode.named(json.path("parallelism_mode").asString(""))
                        .orElse(ParallelismMode.SEQUENTIAL),
                names,
                json.path("step_count").asInt(0));
    }

    String text() {
        return json.toPrettyString();
    }
}
