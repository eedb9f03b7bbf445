package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.UUID;

/// Something that is done to many tasks.
///
/// @param action `cancel`, `requeue` or `purge`
/// @param state `running`, `finished`, `cancelled` or `failed`
/// @param matched how many tasks fitted when it was made
/// @param done how many it has changed so far
/// @param skipped how many were in another state when their turn came
/// @param failed how many could not be changed
/// @param finishedAt null while it runs
/// @param json all that the server says of it: its filter, who asked for it and the first failures
public record Operation(
        UUID id,
        String action,
        String state,
        long matched,
        long done,
        long skipped,
        long failed,
        @Nullable Instant finishedAt,
        JsonNode json) {
    public boolean ended() {
        return !state.equals("running");
    }
}
