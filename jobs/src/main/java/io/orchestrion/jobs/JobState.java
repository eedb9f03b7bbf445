package io.orchestrion.jobs;

import io.orchestrion.kernel.work.WaitReason;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;

/// Where a job stands, in the words of the wire.
public enum JobState {
    CREATED,
    QUEUED,
    ASSIGNED,
    RUNNING,
    SUCCEEDED,
    FAILED,
    CANCELED;

    public static JobState of(WorkItem item) {
        return of(item.state(), item.waitReason());
    }

    /// A retry that waits for its time is queued already; what waits for its first time is not.
    public static JobState of(WorkState state, @Nullable WaitReason reason) {
        return switch (state) {
            case WAITING -> reason == WaitReason.BACKOFF ? QUEUED : CREATED;
            case READY -> QUEUED;
            case LEASED -> ASSIGNED;
            case RUNNING -> RUNNING;
            case SUCCEEDED -> SUCCEEDED;
            case FAILED, DEAD -> FAILED;
            case CANCELLED -> CANCELED;
        };
    }

    /// FAILED is final until somebody asks for a retry.
    public boolean isFinal() {
        return switch (this) {
            case SUCCEEDED, FAILED, CANCELED -> true;
            case CREATED, QUEUED, ASSIGNED, RUNNING -> false;
        };
    }

    /// Null before the end.
    public @Nullable JobOutcome outcome() {
        return switch (this) {
            case SUCCEEDED -> JobOutcome.SUCCESS;
            case FAILED -> JobOutcome.FAILED;
            case CANCELED -> JobOutcome.CANCELED;
            case CREATED, QUEUED, ASSIGNED, RUNNING -> null;
        };
    }
}
