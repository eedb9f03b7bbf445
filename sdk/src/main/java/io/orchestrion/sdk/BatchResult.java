package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.UUID;

/// The result of one item of a batch.
///
/// @param index the item's place in the batch, from 0
/// @param status `created`, `existing` or `ok`, or `error`
/// @param taskId null if there is no task
/// @param errorCode a code of `docs/reference/errors.md`; null without an error
/// @param errorMessage the error in words, or null
/// @param json the whole result as the server sent it, with the task
public record BatchResult(
        int index,
        String status,
        @Nullable UUID taskId,
        @Nullable String errorCode,
        @Nullable String errorMessage,
        JsonNode json) {
    /// Whether the item succeeded.
    public boolean good() {
        return !status.equals("error");
    }
}
