package io.orchestrion.sdk;

import java.util.Locale;

/// Where a task stands.
public enum TaskStatus {
    PENDING,
    CLAIMED,
    COMPLETED,
    DEAD_LETTER,
    CANCELLED,
    /// Of a step that an engine made and whose attempt failed: what follows is the engine's to say.
    FAILED,
    /// A status of a server that is newer than this client.
    UNKNOWN;

    /// As it stands on the wire: `dead_letter`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The status of a word; [#UNKNOWN] for one that this client does not know.
    public static TaskStatus of(String word) {
        for (TaskStatus status : values()) {
            if (status.word().equals(word)) {
                return status;
            }
        }
        return UNKNOWN;
    }
}
