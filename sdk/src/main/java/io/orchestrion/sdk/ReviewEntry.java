package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.UUID;

/// Something that a person has to look at; from [Reviews].
///
/// @param kind `failed_execution`, `compensation` or `dlq`
/// @param stepId null for an execution as a whole
/// @param actions what can be done with it now
/// @param json everything that the server says of it
public record ReviewEntry(
        UUID id,
        String kind,
        UUID executionId,
        @Nullable String stepId,
        List<String> actions,
        JsonNode json) {
    public ReviewEntry {
        actions = List.copyOf(actions);
    }
}
