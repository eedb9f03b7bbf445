package io.orchestrion.sdk;

import static io.orchestrion.sdk.Wire.textOrNull;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;

/// A run of any account that was ended by whoever runs the server; from [RunAdmin#forceFail].
///
/// ```java
/// EndedRun ended = client.runs().admin().forceFail("run_7", "no node drives it");
/// System.out.println(ended.status() + ", given back: " + ended.creditsRefunded());
/// ```
///
/// @param orgId the account
/// @param json everything that the server says of it
public record EndedRun(String orgId, String runId, RunStatus status, JsonNode json) {
    public @Nullable String lastError() {
        return textOrNull(json, "last_error");
    }

    public BigDecimal creditsRefunded() {
        return RunWire.credits(json, "credits_refunded");
    }
}
