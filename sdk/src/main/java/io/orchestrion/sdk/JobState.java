package io.orchestrion.sdk;

/// The state of a job of `/v1/jobs`. The names are those of the HTTP interface.
public enum JobState {
    /// Waits for its time.
    CREATED,
    QUEUED,
    /// A runner has claimed it and has not started it.
    ASSIGNED,
    RUNNING,
    SUCCEEDED,
    /// Ended, unless it is retried.
    FAILED,
    CANCELED,
    /// A state that this client does not know, of a newer server.
    UNKNOWN;

    /// Whether the job has ended, and has an outcome and a report.
    public boolean ended() {
        return switch (this) {
            case SUCCEEDED, FAILED, CANCELED -> true;
            case CREATED, QUEUED, ASSIGNED, RUNNING, UNKNOWN -> false;
        };
    }

    /// The state of this name; [#UNKNOWN] for a name that this client does not know.
    public static JobState of(String word) {
        for (JobState state : values()) {
            if (state.name().equals(word)) {
                return state;
            }
        }
        return UNKNOWN;
    }
}
