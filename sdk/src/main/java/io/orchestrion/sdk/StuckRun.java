package io.orchestrion.sdk;

import tools.jackson.databind.JsonNode;

import java.time.Duration;

/// A run of any account that runs too long or without a heartbeat; from [RunAdmin#stuck].
///
/// ```java
/// for (StuckRun stuck : client.runs().admin().stuck(null, null).items()) {
///     client.runs().admin().forceFail(stuck.runId(), "no node drives it: " + stuck.why());
/// }
/// ```
///
/// @param orgId the account
/// @param why `no_heartbeat` or `too_long`
/// @param json everything that the server says of it
public record StuckRun(String orgId, String runId, String why, Duration running, JsonNode json) {}
