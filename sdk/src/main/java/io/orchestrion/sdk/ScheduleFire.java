package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.UUID;

/// What a schedule did at one of its times; from [Schedules#fires].
///
/// @param fireAt the scheduled time
/// @param result `fired`, `skipped`, `missed` or `failed`
/// @param taskId the task that it created, or null
/// @param detail why it created none, or null
/// @param json the whole entry as the server sent it
public record ScheduleFire(
        Instant fireAt,
        String result,
        @Nullable UUID taskId,
        @Nullable String detail,
        JsonNode json) {}
