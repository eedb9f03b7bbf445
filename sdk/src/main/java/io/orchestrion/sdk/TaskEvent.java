package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.UUID;

/// An event of a task; from [Events].
///
/// @param id the event's place in the account's log, to continue after it
/// @param type the type of the task
/// @param event a word such as `created`, `claimed` or `completed`; later servers may have more
/// @param status the task's status after the event
/// @param attempt how often the task had been claimed
/// @param workerId the worker that held the task, or null
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
