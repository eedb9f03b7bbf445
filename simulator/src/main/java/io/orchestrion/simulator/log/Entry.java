package io.orchestrion.simulator.log;

import io.orchestrion.sdk.TaskEvent;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.UUID;

/// What an event of the log says, without what the check does not look at.
///
/// @param from the task's status before it; null where the task began
/// @param to the status after it
record Entry(String id, UUID task, String event, @Nullable String from, String to, int attempt) {
    static Entry of(TaskEvent event) {
        JsonNode from = event.json().get("fromStatus");
        return new Entry(
                event.id(),
                event.taskId(),
                event.event(),
                from == null || from.isNull() ? null : from.asString(),
                event.json().get("status").asString(),
                event.attempt());
    }
}
