package io.orchestrion.sdk.plan;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;

/// One step of a task: one call of a tool, done by a worker. Each method changes it and returns it.
///
/// ```java
/// PlannedStep fetch = PlannedStep.named("fetch", "fetch-page")
///         .input("{\"url\":\"https://example.com\"}")
///         .timeout(Duration.ofSeconds(20))
///         .maxAttempts(5)
///         .maxTokens(2_000)
///         .outputSchema("{\"type\":\"object\",\"required\":[\"title\"]}");
/// ```
public final class PlannedStep {
    final ObjectNode node = PlanNodes.object();

    private PlannedStep(String name, String tool) {
        node.put("name", name);
        node.put("tool", tool);
    }

    /// @param name that no other step of the task has, 1 to 200 characters
    /// @param tool the type under which workers claim the step
    public static PlannedStep named(String name, String tool) {
        return new PlannedStep(name, tool);
    }

    /// What the tool is given; an empty object unless set.
    ///
    /// @param json JSON text of an object
    public PlannedStep input(String json) {
        node.set("input", PlanNodes.read(json, "input"));
        return this;
    }

    /// How long one attempt may take; 30 seconds unless the run or the server says otherwise.
    public PlannedStep timeout(Duration timeout) {
        node.put("timeout_ms", timeout.toMillis());
        return this;
    }

    /// How often it is tried at the most; 3 times unless the server says otherwise.
    public PlannedStep maxAttempts(int attempts) {
        node.put("max_attempts", attempts);
        return this;
    }

    /// How many tokens one attempt uses at the most. Credits for them are held while it runs, so
    /// that steps at the same time never use more than the run has reserved.
    public PlannedStep maxTokens(long tokens) {
        node.put("max_tokens", tokens);
        return this;
    }

    /// What the output has to fit. Another one fails the attempt with `InvalidOutputError`.
    ///
    /// @param json JSON text of a JSON Schema
    public PlannedStep outputSchema(String json) {
        node.set("output_schema", PlanNodes.read(json, "output schema"));
        return this;
    }

    /// Names of steps of the same task that must have ended well before.
    public PlannedStep after(String... steps) {
        for (String step : steps) {
            node.withArray("dependencies").add(step);
        }
        return this;
    }
}
