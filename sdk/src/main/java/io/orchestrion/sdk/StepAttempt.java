package io.orchestrion.sdk;

import static io.orchestrion.sdk.Wire.instantOrNull;
import static io.orchestrion.sdk.Wire.number;
import static io.orchestrion.sdk.Wire.text;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/// What a worker is given for one attempt at a step of an orchestration: the payload of the claimed
/// task, read.
///
/// ```java
/// StepHandler charge = (step, run) -> {
///     int cents = step.input().path("cents").asInt();
///     // A service that has seen the key answers as it did then, and charges nothing twice.
///     var request = HttpRequest.newBuilder(URI.create("https://bank.example.com/charges"))
///             .header("Idempotency-Key", step.idempotencyKey())
///             .POST(HttpRequest.BodyPublishers.ofString("{\"cents\":" + cents + "}"))
///             .build();
///     return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
/// };
/// Worker.builder(client).type("charge-card").steps(charge).start();
/// ```
///
/// **Pass the key on.** An attempt whose lease was lost may still be running when the next one
/// begins. What reaches the outside is done once only if the receiver knows the key, which is the
/// same for all attempts of the step.
///
/// @param kind whether it is the step itself, its guard or its compensation
/// @param attemptNumber 1 for the first attempt of the step
/// @param idempotencyKey the same for all attempts of the step, and another one for its
///     compensation
/// @param timeout how long this attempt may take
/// @param json everything that the server says of it
public record StepAttempt(
        UUID executionId,
        String stepId,
        UUID stepExecutionId,
        StepKind kind,
        int attemptNumber,
        String idempotencyKey,
        String correlationId,
        Duration timeout,
        JsonNode json) {
    /// Reads the payload of a task.
    ///
    /// @throws IllegalArgumentException if the task is no step of an orchestration
    public static StepAttempt of(Task task) {
        JsonNode json = task.payloadJson();
        try {
            return new StepAttempt(
                    UUID.fromString(text(json, "execution_id")),
                    text(json, "step_id"),
                    UUID.fromString(text(json, "step_execution_id")),
                    StepKind.of(text(json, "kind")),
                    (int) number(json, "attempt_number"),
                    text(json, "idempotency_key"),
                    text(json, "correlation_id"),
                    Duration.ofMillis(number(json, "timeout_ms")),
                    json);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalArgumentException(
                    "task " + task.id() + " is no step of an orchestration", e);
        }
    }

    /// For a worker, which fails what it cannot read.
    static StepAttempt claimed(Task task) throws TaskFailure {
        try {
            return of(task);
        } catch (IllegalArgumentException e) {
            throw TaskFailure.invalid(String.valueOf(e.getMessage())).causedBy(e);
        }
    }

    /// The account.
    public UUID tenantId() {
        return UUID.fromString(text(json, "tenant_id"));
    }

    /// What the definition gives the step.
    public JsonNode input() {
        return json.path("input");
    }

    /// When the whole step is over; null in its first attempt, with which that time begins.
    public @Nullable Instant deadlineAt() {
        return instantOrNull(json, "deadline_at");
    }

    /// The answer of a guard: the last attempt got through. The step has succeeded with that
    /// result, and its handler is not asked again.
    ///
    /// @param result JSON text: what the step would have returned; null for nothing
    public static String completed(@Nullable String result) {
        var answer = Json.object().put("completed", true);
        if (result != null) {
            Json.putRaw(answer, "result", result);
        }
        return Json.text(answer);
    }

    /// The answer of a guard: the last attempt did not get through, and the step may be done again.
    public static String notCompleted() {
        return Json.text(Json.object().put("completed", false));
    }
}
