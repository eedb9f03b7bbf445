package io.orchestrion.sdk;

import io.orchestrion.sdk.plan.FailureMode;
import io.orchestrion.sdk.plan.Plan;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.UUID;

/// A run to make.
///
/// ```java
/// Run made = client.runs().create(
///         NewRun.of("Research", "What is durable execution?")
///                 .maxTokens(50_000)
///                 .maxAgents(4)
///                 .onFailure(FailureMode.CONTINUE)
///                 .toolPolicy("send-mail", ToolPolicy.CONFIRM)
///                 .withKey("research-7")
///                 .build());
/// client.runs().start(made.id());
/// ```
///
/// Requests with the same key make one run within 24 hours. To repeat a request, send the same
/// `NewRun` again.
///
/// @param json what to make, as `POST /api/v1/runs` takes it
/// @param idempotencyKey your name for this run
public record NewRun(String json, String idempotencyKey) {
    public NewRun {
        NewTask.checkKey(idempotencyKey);
    }

    /// Begins to describe a run. Its plan is made by a worker unless [Builder#plan] or
    /// [Builder#plannedByModel] says otherwise.
    ///
    /// @param name what people read
    /// @param task what it is to do, for whoever plans it
    public static Builder of(String name, String task) {
        return new Builder(Json.object().put("name", name).put("task", task));
    }

    /// A run of JSON text as the HTTP interface takes it, for what this client does not know.
    ///
    /// @throws IllegalArgumentException if it is no JSON object
    public static Builder ofJson(String json) {
        return new Builder(Json.object(json, "run"));
    }

    /// Describes a run.
    ///
    /// ```java
    /// NewRun urgent = NewRun.of("Fix", "Find why the build is red").highPriority().build();
    /// ```
    public static final class Builder {
        private final ObjectNode body;
        private String key = UUID.randomUUID().toString();

        private Builder(ObjectNode body) {
            this.body = body;
        }

        /// Follows this plan. It is not planned again when agents fail.
        public Builder plan(Plan plan) {
            body.set("plan", Json.tree(plan.json()));
            return planner("static");
        }

        /// Has the model make the plan that the server was given the address of.
        public Builder plannedByModel() {
            return planner("openai");
        }

        private Builder planner(String mode) {
            body.withObject("planner").put("mode", mode);
            return this;
        }

        /// Tokens that an attempt may use; its credits are reserved for them. 100000 unless set.
        public Builder maxTokens(long tokens) {
            body.put("max_tokens", tokens);
            return this;
        }

        /// Agents that a plan may have. 10 unless set.
        public Builder maxAgents(int agents) {
            body.put("max_agents", agents);
            return this;
        }

        /// Attempts of the whole run. 3 unless set.
        public Builder maxAttempts(int attempts) {
            body.put("max_attempts", attempts);
            return this;
        }

        /// How often an attempt is planned again when agents fail. 3 unless set.
        public Builder maxReplans(int replans) {
            body.put("max_replans", replans);
            return this;
        }

        /// What the failure of an agent means for the run.
        public Builder onFailure(FailureMode mode) {
            body.put("failure_mode", mode.word());
            return this;
        }

        /// Is picked up before runs of normal priority.
        public Builder highPriority() {
            body.put("priority", "high");
            return this;
        }

        /// Whether steps may call a tool. All tools are allowed unless set.
        public Builder toolPolicy(String tool, ToolPolicy policy) {
            body.withObject("tool_policies").put(tool, policy.word());
            return this;
        }

        /// How many tasks of an agent, and steps of a task, are under way at a time.
        public Builder atOnce(int tasks, int steps) {
            body.withObject("limits")
                    .put("max_concurrent_tasks", tasks)
                    .put("max_concurrent_steps", steps);
            return this;
        }

        /// How long the run may be in a state, or a part of it may take.
        ///
        /// @param name as the HTTP interface says it, such as `running_ms` or `step_ms`
        public Builder timeout(String name, Duration timeout) {
            body.withObject("timeouts").put(name, timeout.toMillis());
            return this;
        }

        /// What whoever plans it should know.
        ///
        /// @param json JSON text of an object
        public Builder context(String json) {
            Json.putRaw(body, "context", json);
            return this;
        }

        /// Your name for this run; a random one unless set.
        public Builder withKey(String key) {
            this.key = key;
            return this;
        }

        public NewRun build() {
            return new NewRun(Json.text(body), key);
        }
    }
}
