package io.orchestrion.server.queue;

import io.orchestrion.server.door.DoorItems;

import java.util.List;

/// Items of the queue in logs and metrics, in the words of their door.
public final class QueueItems implements DoorItems {
    @Override
    public List<String> queues() {
        return List.of(QueueEndpoints.DOOR);
    }

    @Override
    public String state(String word, String event, int attempt) {
        return switch (word) {
            case "waiting", "ready" -> "queued";
            case "dead" -> "dead_letter";
            default -> word;
        };
    }
}
