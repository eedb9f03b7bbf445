package io.orchestrion.sdk;

import java.util.Locale;

/// The status of a job of the queue.
public enum JobStatus {
    QUEUED,
    RUNNING,
    SUCCEEDED,
    FAILED,
    DEAD_LETTER,
    CANCELLED,
    /// A status that this client does not know, of a newer server.
    UNKNOWN;

    /// The status as the HTTP interface writes it: `dead_letter`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Whether the job has ended and changes no more by itself.
    public boolean ended() {
        return switch (this) {
            case SUCCEEDED, FAILED, DEAD_LETTER, CANCELLED -> true;
            case QUEUED, RUNNING, UNKNOWN -> false;
        };
    }

    /// The status that the HTTP interface calls so; [#UNKNOWN] for a word that this client does not
    /// know.
    public static JobStatus of(String word) {
        for (JobStatus status : values()) {
            if (status.word().equals(word)) {
                return status;
            }
        }
        return UNKNOWN;
    }
}
