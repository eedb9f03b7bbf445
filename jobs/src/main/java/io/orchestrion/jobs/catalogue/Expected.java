package io.orchestrion.jobs.catalogue;

/// How a job of a kind has to end, and what its submitter has to do for it to be seen.
public enum Expected {
    SUCCEEDED(End.SUCCEEDED, Need.NOTHING),
    FAILED(End.FAILED, Need.NOTHING),
    /// Failed, and worth another try.
    FAILED_RETRYABLE(End.FAILED, Need.NOTHING),
    /// Stopped at the runtime limit.
    TIMED_OUT(End.FAILED, Need.NOTHING),
    /// Fails once; a retry succeeds.
    FAILED_THEN_SUCCEEDED(End.SUCCEEDED, Need.NOTHING),
    /// Fails until no retry is left.
    FAILED_ON_EVERY_ATTEMPT(End.FAILED, Need.NOTHING),
    CANCELED_BEFORE_START(End.CANCELED, Need.CANCEL),
    CANCELED_DURING_RUN(End.CANCELED, Need.CANCEL),
    ONE_JOB_SUCCEEDED(End.SUCCEEDED, Need.DUPLICATE),
    TWO_JOBS_SUCCEEDED(End.SUCCEEDED, Need.DUPLICATE),
    SUCCEEDED_AND_DELIVERED(End.SUCCEEDED, Need.RECEIVER),
    SUCCEEDED_WITH_RETRIED_DELIVERY(End.SUCCEEDED, Need.RECEIVER),
    SUCCEEDED_WITH_FAILED_DELIVERY(End.SUCCEEDED, Need.RECEIVER),
    SUCCEEDED_AND_DELIVERED_LATE(End.SUCCEEDED, Need.RECEIVER),
    SUCCEEDED_ON_TIME(End.SUCCEEDED, Need.SCHEDULE),
    SUCCEEDED_AFTER_DOWNTIME(End.SUCCEEDED, Need.SCHEDULE),
    WAITS_THEN_SUCCEEDED(End.SUCCEEDED, Need.SCHEDULE),
    REJECTED(End.REJECTED, Need.INVALID);

    /// The state in which such a job ends, after all its retries.
    public enum End {
        SUCCEEDED,
        FAILED,
        CANCELED,
        REJECTED
    }

    /// What a request must bring beside the kind.
    public enum Need {
        NOTHING,
        CANCEL,
        DUPLICATE,
        RECEIVER,
        SCHEDULE,
        INVALID
    }

    private final End end;
    private final Need need;

    Expected(End end, Need need) {
        this.end = end;
        this.need = need;
    }

    public End end() {
        return end;
    }

    public Need need() {
        return need;
    }
}
