package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.UUID;

/// Something that happened to a task.
///
/// @param id the event's place in the account's log: a cursor to go on from
/// @param type of the task
/// @param event a word such as `created`, `claimed` or `completed`; there may be more in time
/// @param status the task's status after it
/// @param attempt how often the task had been claimed
/// @param workerId who held it, or null
/// @param reason why an attempt failed, or null
/// @param json the whole event as the server sent it
public record TaskEvent(
        String id,
        UUID taskId,
        String type,
        String event,
        TaskStatus status,
        int attempt,
        @Nullable String workerId,
        @Nullable String reason,
        Instant at,
        JsonNode json) {}
