package io.orchestrion.server.observe;

import org.jspecify.annotations.Nullable;

/// What the doors call the kernel's states, for logs.
final class DoorWords {
    private DoorWords() {}

    /// @param event that led to the state, empty for the state before: it tells the waits apart,
    ///     and else the attempts do, for nobody has tried what waits for its first time
    static @Nullable String state(String queue, @Nullable String word, String event, int attempt) {
        if (word == null) {
            return null;
        }
        return switch (queue) {
            case "jobs" -> job(word, event, attempt);
            case "tasks", "steps" -> task(word);
            case "queue" ->
                    switch (word) {
                        case "waiting", "ready" -> "queued";
                        case "dead" -> "dead_letter";
                        default -> word;
                    };
            default -> word;
        };
    }

    private static String job(String word, String event, int attempt) {
        return switch (word) {
            case "waiting" -> event.equals("submit") || attempt == 0 ? "CREATED" : "QUEUED";
            case "ready" -> "QUEUED";
            case "leased" -> "ASSIGNED";
            case "running" -> "RUNNING";
            case "succeeded" -> "SUCCEEDED";
            case "cancelled" -> "CANCELED";
            default -> "FAILED";
        };
    }

    private static String task(String word) {
        return switch (word) {
            case "waiting", "ready" -> "pending";
            case "leased", "running" -> "claimed";
            case "succeeded" -> "completed";
            case "dead" -> "dead_letter";
            default -> word;
        };
    }
}
