package io.orchestrion.sdk;

import static io.orchestrion.sdk.Wire.textOrNull;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.util.List;

/// One step of a task of a run; from [Runs#steps] and [Runs#step]. A worker that holds an attempt
/// at it has a [ClaimedStep].
///
/// ```java
/// RunStep step = client.runs().step("run_7", "step_9", null, null);
/// System.out.println(step.status() + ": " + step.output());
/// step.attempts().forEach(each -> System.out.println(each.number() + " " + each.errorCode()));
/// ```
///
/// @param kind `tool`, `run_plan` or `agent_plan`
/// @param tool the type under which workers claim it
/// @param json everything that the server says of it
public record RunStep(
        String id,
        String taskId,
        int sequenceNumber,
        String name,
        String kind,
        String tool,
        String status,
        JsonNode json) {
    /// What the tool was given. A step of a list has none.
    public JsonNode input() {
        return json.path("input");
    }

    /// What the tool gave; null or missing until the step has completed, and in a list.
    public JsonNode output() {
        return json.path("output");
    }

    /// What its workers said that they used so far.
    public long tokens() {
        return Wire.number(json, "tokens");
    }

    /// What it has cost so far.
    public BigDecimal creditsCharged() {
        return RunWire.credits(json, "credits_charged");
    }

    public @Nullable String errorCode() {
        return textOrNull(json, "error_code");
    }

    public @Nullable String error() {
        return textOrNull(json, "error");
    }

    /// What it waits for; null for nothing.
    public @Nullable RunWaitsFor waitsFor() {
        return RunWire.waitsFor(json);
    }

    /// The attempts at it, oldest first; from [Runs#step] only.
    public List<RunStepAttempt> attempts() {
        return RunWire.stepAttempts(json.path("attempts"));
    }

    /// Where the list of attempts goes on; null if these are all.
    public @Nullable String attemptsNextCursor() {
        return textOrNull(json, "attempts_next_cursor");
    }
}
