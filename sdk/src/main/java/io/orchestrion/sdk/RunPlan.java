package io.orchestrion.sdk;

import tools.jackson.databind.JsonNode;

import java.time.Instant;

/// A plan that a run has had; from [Runs#plans].
///
/// ```java
/// for (RunPlan plan : client.runs().plans("run_7", null, null).items()) {
///     System.out.println(plan.version() + " by " + plan.madeBy() + ": " + plan.decomposition());
/// }
/// ```
///
/// @param attemptNumber of the run
/// @param version 1 for the first of the attempt
/// @param source `static`, `worker`, `openai` or `hand`
/// @param json everything that the server says of it
public record RunPlan(
        int attemptNumber,
        int version,
        String source,
        String madeBy,
        Instant createdAt,
        JsonNode json) {
    /// The plan itself.
    public JsonNode decomposition() {
        return json.path("decomposition");
    }

    /// Why another plan had to be made; null for the first one.
    public JsonNode failureAnalysis() {
        return json.path("failure_analysis");
    }
}
