package io.orchestrion.sdk;

import tools.jackson.databind.JsonNode;

/// What an operation would be about.
///
/// @param matched how many tasks fit now
/// @param matchedAtLeast whether more may fit than were counted
/// @param json the whole answer, the ids of the oldest of them among it
public record OperationPreview(
        String action, long matched, boolean matchedAtLeast, JsonNode json) {}
