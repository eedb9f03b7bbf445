package io.orchestrion.kernel.schedule;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// How far a schedule has come. Only a transaction that holds the lock on its row writes it.
///
/// @param nextFireMs the next time that it fires; null when it is paused or over
/// @param dueMs when somebody has to look at it, which is not always to fire
/// @param bufferedMs the time of a fire that waits until the task before it ends
/// @param fireSeq the number of its newest entry in the history
/// @param failure why the last fire that should have made a task made none
record Progress(
        @Nullable Long nextFireMs,
        @Nullable Long dueMs,
        @Nullable Long bufferedMs,
        long fireSeq,
        @Nullable Long lastFireMs,
        @Nullable UUID lastTaskId,
        long fired,
        long missed,
        long skipped,
        long failed,
        @Nullable Long failureMs,
        @Nullable String failure) {

    /// The progress of a schedule that has never fired.
    static final Progress NONE =
            new Progress(null, null, null, 0, null, null, 0, 0, 0, 0, null, null);

    /// With another next time and nothing that waits; what waited makes no task.
    Progress at(@Nullable Long next) {
        return new Progress(
                next,
                next,
                null,
                fireSeq,
                lastFireMs,
                lastTaskId,
                fired,
                missed,
                skipped + (bufferedMs == null ? 0 : 1),
                failed,
                failureMs,
                failure);
    }
}
