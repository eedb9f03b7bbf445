package io.orchestrion.sdk;

import static io.orchestrion.sdk.Wire.instantOrNull;
import static io.orchestrion.sdk.Wire.number;
import static io.orchestrion.sdk.Wire.numberOrNull;
import static io.orchestrion.sdk.Wire.text;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/// What a worker is given for one attempt at a step of a run: the payload of the claimed task,
/// read.
///
/// ```java
/// RunStepHandler fetch = (step, run) -> {
///     var request = HttpRequest.newBuilder(URI.create(step.input().path("url").asString()))
///             .header("Idempotency-Key", step.idempotencyKey())
///             .build();
///     String page = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
///     run.tokens(page.length() / 4);
///     return "{\"characters\":" + page.length() + "}";
/// };
/// Worker.builder(client).type("fetch-page").runSteps(fetch).start();
/// ```
///
/// **Pass the key on.** An attempt whose lease was lost may still be running when the next one
/// begins. What reaches the outside is done once only if the receiver knows the key, which is the
/// same for all attempts of the step.
///
/// @param attemptId of this attempt, `att_…`
/// @param tool the type under which it was claimed; `run_plan` and `agent_plan` ask for a plan
/// @param attemptNumber 1 for the first attempt of the step
/// @param idempotencyKey the same for all attempts of the step
/// @param timeout how long this attempt may take
/// @param json everything that the server says of it
public record ClaimedStep(
        String runId,
        String stepId,
        String attemptId,
        String tool,
        int attemptNumber,
        String idempotencyKey,
        Duration timeout,
        JsonNode json) {
    /// Reads the payload of a task.
    ///
    /// @throws IllegalArgumentException if the task is no step of a run
    public static ClaimedStep of(Task task) {
        JsonNode json = task.payloadJson();
        try {
            return new ClaimedStep(
                    text(json, "run_id"),
                    text(json, "step_id"),
                    text(json, "step_attempt_id"),
                    text(json, "tool"),
                    (int) number(json, "attempt_number"),
                    text(json, "idempotency_key"),
                    Duration.ofMillis(number(json, "timeout_ms")),
                    json);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalArgumentException("task " + task.id() + " is no step of a run", e);
        }
    }

    /// For a worker, which fails what it cannot read.
    static ClaimedStep claimed(Task task) throws TaskFailure {
        try {
            return of(task);
        } catch (IllegalArgumentException e) {
            throw TaskFailure.invalid(String.valueOf(e.getMessage())).causedBy(e);
        }
    }

    /// What the plan gives the step.
    public JsonNode input() {
        return json.path("input");
    }

    /// What the steps right before it gave, as the server writes it. Large outputs are only named;
    /// [Runs#step] reads them.
    public JsonNode outputs() {
        return json.path("outputs");
    }

    /// The account.
    public String orgId() {
        return text(json, "org_id");
    }

    public String agentId() {
        return text(json, "agent_id");
    }

    public String taskId() {
        return text(json, "task_id");
    }

    /// The name that the plan gives the step.
    public String name() {
        return text(json, "name");
    }

    /// How many tokens the attempt may use; null if the plan does not say.
    public @Nullable Long maxTokens() {
        return numberOrNull(json, "max_tokens");
    }

    /// When what the step is a part of is over; null for no bound.
    public @Nullable Instant deadlineAt() {
        return instantOrNull(json, "deadline_at");
    }

    /// Whether the result is to be a plan: one of the run, or the next tasks of an agent. What the
    /// planner is told, [PlanRequest] reads.
    public boolean planning() {
        return tool.equals(PlanRequest.RUN_PLAN) || tool.equals(PlanRequest.AGENT_PLAN);
    }
}
