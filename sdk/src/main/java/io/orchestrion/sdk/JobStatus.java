package io.orchestrion.sdk;

import java.util.Locale;

/// Where a job of the queue stands.
public enum JobStatus {
    QUEUED,
    RUNNING,
    SUCCEEDED,
    FAILED,
    DEAD_LETTER,
    CANCELLED,
    /// A status of a server that is newer than this client.
    UNKNOWN;

    /// As it stands on the wire: `dead_letter`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Whether nothing comes after it by itself.
    public boolean ended() {
        return switch (this) {
            case SUCCEEDED, FAILED, DEAD_LETTER, CANCELLED -> true;
            case QUEUED, RUNNING, UNKNOWN -> false;
        };
    }

    /// The status of a word; [#UNKNOWN] for one that this client does not know.
    public static JobStatus of(String word) {
        for (JobStatus status : values()) {
            if (status.word().equals(word)) {
                return status;
            }
        }
        return UNKNOWN;
    }
}
