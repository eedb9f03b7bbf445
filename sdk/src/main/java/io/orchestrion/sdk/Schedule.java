package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.UUID;

/// A schedule, which creates a task repeatedly; from [Schedules#get].
///
/// @param name unique in the account
/// @param status `active`, `paused` or `ended`
/// @param nextFireAt null while it is paused and once it has ended
/// @param lastTaskId the newest task that it created, or null
/// @param fired how many tasks it created
/// @param json everything that the server says of it: its times, its task and its other counts
public record Schedule(
        UUID id,
        String name,
        String status,
        @Nullable Instant nextFireAt,
        @Nullable Instant lastFireAt,
        @Nullable UUID lastTaskId,
        long fired,
        JsonNode json) {}
