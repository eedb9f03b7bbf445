package io.orchestrion.sdk;

/// Where a job of `/v1/jobs` stands; the names are those of the wire.
public enum JobState {
    /// Waits for its time.
    CREATED,
    QUEUED,
    /// A runner has it and has not begun.
    ASSIGNED,
    RUNNING,
    SUCCEEDED,
    /// Over, unless it is retried.
    FAILED,
    CANCELED,
    /// A state of a server that is newer than this client.
    UNKNOWN;

    /// Whether an outcome and a report are there.
    public boolean ended() {
        return switch (this) {
            case SUCCEEDED, FAILED, CANCELED -> true;
            case CREATED, QUEUED, ASSIGNED, RUNNING, UNKNOWN -> false;
        };
    }

    /// The state of a word; [#UNKNOWN] for one that this client does not know.
    public static JobState of(String word) {
        for (JobState state : values()) {
            if (state.name().equals(word)) {
                return state;
            }
        }
        return UNKNOWN;
    }
}
