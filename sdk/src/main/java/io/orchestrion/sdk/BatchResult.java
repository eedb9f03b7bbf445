package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.UUID;

/// What became of one item of a batch.
///
/// @param index its place in the batch, from 0
/// @param status `created`, `existing` or `ok`, else `error`
/// @param taskId null where there is no task
/// @param errorCode what went wrong, as in `docs/reference/errors.md`; null where nothing did
/// @param errorMessage in words, or null
/// @param json the whole result as the server sent it, the task among it
public record BatchResult(
        int index,
        String status,
        @Nullable UUID taskId,
        @Nullable String errorCode,
        @Nullable String errorMessage,
        JsonNode json) {
    public boolean good() {
        return !status.equals("error");
    }
}
