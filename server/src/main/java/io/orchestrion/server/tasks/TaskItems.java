package io.orchestrion.server.tasks;

import io.orchestrion.server.door.DoorItems;
import io.orchestrion.server.taskdoor.TasksDoor;

import java.util.List;

/// Tasks, and steps that are claimed like tasks, in logs and metrics, in the words of their door.
public final class TaskItems implements DoorItems {
    @Override
    public List<String> queues() {
        return List.of(TasksDoor.NAME, "steps");
    }

    @Override
    public String state(String word, String event, int attempt) {
        return switch (word) {
            case "waiting", "ready" -> "pending";
            case "leased", "running" -> "claimed";
            case "succeeded" -> "completed";
            case "dead" -> "dead_letter";
            default -> word;
        };
    }
}
