package io.orchestrion.sdk.plan;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What a run consists of: its agents. They work at the same time and do not depend on each other.
///
/// ```java
/// Plan plan = Plan.of(
///         PlannedAgent.forSubtask("Read the sources")
///                 .inMode(ParallelismMode.PARALLEL)
///                 .task(PlannedTask.named("first source")
///                         .step(PlannedStep.named("fetch", "fetch-page")
///                                 .input("{\"url\":\"https://example.com/1\"}")
///                                 .timeout(Duration.ofSeconds(20))
///                                 .maxTokens(2_000))),
///         PlannedAgent.forSubtask("Write the summary"));
/// client.runs().create(NewRun.of("Research", "What is durable execution?").plan(plan).build());
/// ```
///
/// An agent without tasks plans its tasks itself: a worker is given the step `agent_plan` and
/// answers it with [NextTasks]. The builder writes what it is told. Whether the whole is right, the
/// server says.
///
/// @param json the document, as `POST /api/v1/runs` takes it as `plan`, and as the result of the
///     step `run_plan`
public record Plan(String json) {
    /// @throws IllegalArgumentException if there is no agent, as the server would say
    public static Plan of(PlannedAgent... agents) {
        if (agents.length == 0) {
            throw new IllegalArgumentException("a plan needs an agent");
        }
        ObjectNode document = PlanNodes.object();
        ArrayNode list = document.putArray("agents");
        for (PlannedAgent agent : agents) {
            list.add(agent.node.deepCopy());
        }
        return new Plan(PlanNodes.text(document));
    }
}
