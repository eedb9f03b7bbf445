package io.orchestrion.sdk;

import tools.jackson.databind.JsonNode;

import java.time.Instant;

/// A call of a tool that a person is asked about; from [RunApprovals].
///
/// ```java
/// for (RunApproval asked : client.runs().approvals().list("pending", null, null, null).items()) {
///     System.out.println(asked.tool() + " with " + asked.input());
/// }
/// ```
///
/// @param status `pending`, `approved`, `rejected` or `cancelled`
/// @param json everything that the server says of it
public record RunApproval(
        String id,
        String runId,
        String stepId,
        String status,
        String tool,
        Instant requestedAt,
        JsonNode json) {
    /// Exactly what the tool would be given.
    public JsonNode input() {
        return json.path("input");
    }
}
