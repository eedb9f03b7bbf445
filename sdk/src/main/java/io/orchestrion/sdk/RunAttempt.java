package io.orchestrion.sdk;

import static io.orchestrion.sdk.Wire.instantOrNull;
import static io.orchestrion.sdk.Wire.textOrNull;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.time.Instant;

/// One attempt of a whole run with its credits; from [Runs#attempts].
///
/// ```java
/// for (RunAttempt attempt : client.runs().attempts("run_7", null, null).items()) {
///     System.out.println(attempt.number() + ": " + attempt.creditsCharged() + " credits");
/// }
/// ```
///
/// @param number counts from 1
/// @param outcome `completed`, `failed`, `cancelled` or `skipped`; null while it goes on
/// @param json everything that the server says of it
public record RunAttempt(int number, @Nullable String outcome, Instant startedAt, JsonNode json) {
    public BigDecimal creditsReserved() {
        return RunWire.credits(json, "credits_reserved");
    }

    public BigDecimal creditsCharged() {
        return RunWire.credits(json, "credits_charged");
    }

    public BigDecimal creditsRefunded() {
        return RunWire.credits(json, "credits_refunded");
    }

    public @Nullable String errorCode() {
        return textOrNull(json, "error_code");
    }

    public @Nullable String error() {
        return textOrNull(json, "error");
    }

    public @Nullable Instant endedAt() {
        return instantOrNull(json, "ended_at");
    }
}
