package io.orchestrion.jobs;

/// How a job has ended.
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
