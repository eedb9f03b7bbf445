package io.orchestrion.jobs;

/// What came of a job that is over.
public enum JobOutcome {
    SUCCESS,
    FAILED,
    CANCELED;

    public JobState state() {
        return switch (this) {
            case SUCCESS -> JobState.SUCCEEDED;
            case FAILED -> JobState.FAILED;
            case CANCELED -> JobState.CANCELED;
        };
    }
}
