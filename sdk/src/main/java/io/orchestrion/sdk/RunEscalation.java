package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;

/// A ticket by which people were called for a run; from [Escalations].
///
/// ```java
/// Escalations all = client.runs().escalations();
/// for (RunEscalation ticket : all.list("open", null, null, null).items()) {
///     System.out.println(ticket.runId() + ": " + ticket.trigger() + ", " + ticket.error());
/// }
/// ```
///
/// @param status `open`, `resolved` or `closed`
/// @param trigger why people were called, such as `error_count`
/// @param holds whether the run waits for what is said
/// @param json everything that the server says of it
public record RunEscalation(
        String id,
        String runId,
        String status,
        String trigger,
        String error,
        boolean holds,
        Instant createdAt,
        JsonNode json) {
    /// What was said: `resume`, `cancel`, or `over` when the run ended by itself; null while open.
    public @Nullable String resolution() {
        return Wire.textOrNull(json, "resolution");
    }
}
