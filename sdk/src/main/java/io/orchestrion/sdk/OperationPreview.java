package io.orchestrion.sdk;

import tools.jackson.databind.JsonNode;

/// What a bulk operation would change; from [Operations#preview].
///
/// @param matched how many tasks match the filter now
/// @param matchedAtLeast whether more tasks may match than were counted
/// @param json the whole answer, with the ids of the oldest matching tasks
public record OperationPreview(
        String action, long matched, boolean matchedAtLeast, JsonNode json) {}
