package io.orchestrion.server.queue;

import io.orchestrion.kernel.work.WorkEvent;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The door's own words for what happens to a job.
enum JobHappening {
    ENQUEUED,
    DUE,
    CLAIMED,
    HEARTBEAT,
    COMPLETED,
    FAILED,
    LEASE_EXPIRED,
    TIMED_OUT,
    CANCELLED,
    CANCEL_REQUESTED,
    REQUEUED,
    HELD,
    RELEASED;

    static final List<String> WORDS = Arrays.stream(values()).map(JobHappening::word).toList();

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// @param word the kernel's, which calls a renewed lease a heartbeat, too
    static JobHappening of(String word) {
        return word.equals(HEARTBEAT.word()) ? HEARTBEAT : of(WorkEvent.of(word));
    }

    private static JobHappening of(WorkEvent event) {
        return switch (event) {
            case SUBMIT -> ENQUEUED;
            case PROMOTE -> DUE;
            case LEASE, START -> CLAIMED;
            case COMPLETE -> COMPLETED;
            case FAIL -> FAILED;
            case EXPIRE -> LEASE_EXPIRED;
            case TIME_OUT -> TIMED_OUT;
            case CANCEL -> CANCELLED;
            case ASK_CANCEL -> CANCEL_REQUESTED;
            case REOPEN, RETRY -> REQUEUED;
            case HOLD -> HELD;
            case RELEASE -> RELEASED;
            case GIVE_UP, LATE_REPORT ->
                    throw new IllegalStateException("jobs of the queue have no " + event);
        };
    }
}
