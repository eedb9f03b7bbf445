package io.orchestrion.sdk;

import java.util.Locale;

/// The status of a task.
public enum TaskStatus {
    PENDING,
    CLAIMED,
    COMPLETED,
    DEAD_LETTER,
    CANCELLED,
    /// A step of an engine whose attempt failed. The engine decides what follows.
    FAILED,
    /// A status that this client does not know, of a newer server.
    UNKNOWN;

    /// The status as the HTTP interface writes it: `dead_letter`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The status that the HTTP interface calls so; [#UNKNOWN] for a word that this client does not
    /// know.
    public static TaskStatus of(String word) {
        for (TaskStatus status : values()) {
            if (status.word().equals(word)) {
                return status;
            }
        }
        return UNKNOWN;
    }
}
