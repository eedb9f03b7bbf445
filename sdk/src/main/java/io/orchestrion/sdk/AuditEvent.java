package io.orchestrion.sdk;

import tools.jackson.databind.JsonNode;

import java.time.Instant;

/// What somebody did, or what an engine began or ended; from [AuditLog#trail].
///
/// @param event such as `orchestration.approval.approve`
/// @param subjectId of what it was done to
/// @param json everything that the server says of it
public record AuditEvent(
        Instant at, String event, String subjectType, String subjectId, JsonNode json) {}
