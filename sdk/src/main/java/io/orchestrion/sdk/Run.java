package io.orchestrion.sdk;

import static io.orchestrion.sdk.Wire.instant;
import static io.orchestrion.sdk.Wire.instantOrNull;
import static io.orchestrion.sdk.Wire.textOrNull;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.time.Instant;

/// One run: what agents do for a task, within a budget. From [Runs#create] and [Runs#get].
///
/// ```java
/// Run run = client.runs().get("run_0195f2b4-0000-7000-8000-000000000001");
/// System.out.println(run.status() + ", " + run.creditsCharged() + " of " + run.creditsReserved());
/// RunWaitsFor waits = run.waitsFor();
/// if (waits != null) {
///     System.out.println("waits for " + waits.on());
/// }
/// ```
///
/// @param id with its prefix, `run_…`
/// @param task what it is to do
/// @param attemptNumber 1, and one more for each retry
/// @param json everything that the server says of it
public record Run(
        String id, String name, String task, RunStatus status, int attemptNumber, JsonNode json) {
    /// What was sent as context, with the plan that is followed (`decomposition`) and
    /// `replan_count`. A run of a list has none.
    public JsonNode context() {
        return json.path("context");
    }

    /// Credits that its present attempt may use.
    public BigDecimal creditsReserved() {
        return RunWire.credits(json, "credits_reserved");
    }

    /// Credits that its present attempt has used.
    public BigDecimal creditsCharged() {
        return RunWire.credits(json, "credits_charged");
    }

    /// Credits that were given back at the end of its present attempt.
    public BigDecimal creditsRefunded() {
        return RunWire.credits(json, "credits_refunded");
    }

    public Instant createdAt() {
        return instant(json, "created_at");
    }

    /// Null until it is started.
    public @Nullable Instant startedAt() {
        return instantOrNull(json, "started_at");
    }

    /// When it completed, failed or was skipped; null otherwise.
    public @Nullable Instant completedAt() {
        return instantOrNull(json, "completed_at");
    }

    public @Nullable String lastErrorCode() {
        return textOrNull(json, "last_error_code");
    }

    /// Why it failed; null unless it has.
    public @Nullable String lastError() {
        return textOrNull(json, "last_error");
    }

    /// Whether people were called for it, and it waits for what they say.
    public boolean escalated() {
        return json.path("escalated").booleanValue(false);
    }

    /// The ticket by which people were called; null for none.
    public @Nullable String escalationId() {
        return textOrNull(json, "escalation_ticket_id");
    }

    /// What it waits for; null for nothing, and in a list.
    public @Nullable RunWaitsFor waitsFor() {
        return RunWire.waitsFor(json);
    }

    /// Whether nothing has happened from one look to the other.
    boolean standsAs(Run other) {
        return status == other.status
                && attemptNumber == other.attemptNumber
                && creditsCharged().compareTo(other.creditsCharged()) == 0
                && json.path("steps_in_flight").equals(other.json.path("steps_in_flight"))
                && json.path("step_count").equals(other.json.path("step_count"));
    }
}
