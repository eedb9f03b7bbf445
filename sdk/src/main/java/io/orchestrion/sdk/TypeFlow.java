package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;

/// What the tasks of a type wait for: a page of the keys that have waiting tasks; from
/// [TaskTypes#flow].
///
/// @param paused whether tasks of the type cannot be claimed
/// @param keys each with how many tasks wait, how many run and when one may be claimed, as the
///     server sent it
/// @param nextCursor null on the last page
/// @param json the whole answer, with the type's limits
public record TypeFlow(
        String type,
        boolean paused,
        List<JsonNode> keys,
        @Nullable String nextCursor,
        JsonNode json) {
    public TypeFlow {
        keys = List.copyOf(keys);
    }
}
