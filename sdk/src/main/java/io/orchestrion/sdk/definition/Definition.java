package io.orchestrion.sdk.definition;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;

/// The document of an orchestration: its steps, where each leads, and how failures are handled.
///
/// ```java
/// Definition refund = Definition.named("Refund an order")
///         .retry(StepRetry.exponential(5, Duration.ofSeconds(1), Duration.ofMinutes(1)))
///         .step(Step.decision("large")
///                 .branch(Value.input("amount").moreThan(100), "ask")
///                 .otherwise("refund"))
///         .step(Step.approval("ask", Duration.ofDays(1)).onSuccess("refund"))
///         .step(Step.task("refund", "refund-order")
///                 .timeout(Duration.ofMinutes(10))
///                 .safeToRetry())
///         .build();
/// ```
///
/// The builder writes what it is told. Whether the whole is right, the server says:
/// `client.orchestrations().definitions().validate(refund.json())`.
///
/// @param json the document, as `POST /v1/orchestrations/definitions` takes it
public record Definition(String json) {
    /// Where the execution ends: after a success it has succeeded, after a failure it has failed.
    public static final String END = "terminal";

    /// Starts a definition.
    public static Builder named(String name) {
        return new Builder(name);
    }

    /// Builds a definition.
    ///
    /// ```java
    /// Definition hello = Definition.named("Hello")
    ///         .retry(StepRetry.never())
    ///         .step(Step.task("greet", "hello").timeout(Duration.ofMinutes(1)).safeToRetry())
    ///         .build();
    /// ```
    public static final class Builder {
        private final ObjectNode document = Value.JSON.createObjectNode();

        private Builder(String name) {
            document.put("name", name);
            document.putArray("steps");
            document.put("input_schema", true);
        }

        /// Adds a step. The first one is where executions begin, unless [#startAt] says otherwise.
        public Builder step(Step<?> step) {
            document.withArray("steps").add(step.node.deepCopy());
            return this;
        }

        /// What it is for.
        public Builder description(String description) {
            document.put("description", description);
            return this;
        }

        /// Where executions begin.
        public Builder startAt(String stepId) {
            document.put("start_step_id", stepId);
            return this;
        }

        /// For steps that have no policy of their own.
        public Builder retry(StepRetry policy) {
            policy.writeTo(policies("retry"));
            return this;
        }

        /// How long an execution may be running. Time in which it is paused or waits for a person
        /// does not count.
        public Builder executionTimeout(Duration timeout) {
            policies("timeouts").put("execution_ms", timeout.toMillis());
            return this;
        }

        /// How many executions for the same target may be open.
        public Builder maxRunningPerTarget(int most) {
            policies("concurrency").put("max_running_per_target", most);
            return this;
        }

        /// How many executions of the definition may be open.
        public Builder maxRunningPerDefinition(int most) {
            policies("concurrency").put("max_running_per_definition", most);
            return this;
        }

        private ObjectNode policies(String part) {
            return document.withObject("policies").withObject(part);
        }

        /// What an input has to fit, as a JSON Schema; `true`, which takes any, unless set.
        public Builder inputSchema(String json) {
            return set("input_schema", Value.JSON.readTree(json));
        }

        /// What an output has to fit, as a JSON Schema. Another one fails the execution.
        public Builder outputSchema(String json) {
            return set("output_schema", Value.JSON.readTree(json));
        }

        /// The output of an execution; the result of the last step unless set.
        public Builder output(Value output) {
            return set("output", output.node());
        }

        /// Has an error code mean another class than the retry matrix says.
        public Builder errorClass(String code, ErrorClass errorClass) {
            document.withObject("error_overrides").put(code, errorClass.name());
            return this;
        }

        private Builder set(String field, JsonNode value) {
            document.set(field, value);
            return this;
        }

        public Definition build() {
            return new Definition(document.toString());
        }
    }
}
