package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.UUID;

/// A bulk operation on tasks; from [Operations#get].
///
/// @param action `cancel`, `requeue` or `purge`
/// @param state `running`, `finished`, `cancelled` or `failed`
/// @param matched how many tasks matched the filter when the operation was created
/// @param done how many tasks it has changed so far
/// @param skipped how many tasks were in another state when their turn came
/// @param failed how many tasks could not be changed
/// @param finishedAt null while it runs
/// @param json everything that the server says of it, with its filter, its author and its first
///     failures
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
    /// Whether it no longer runs.
    public boolean ended() {
        return !state.equals("running");
    }
}
