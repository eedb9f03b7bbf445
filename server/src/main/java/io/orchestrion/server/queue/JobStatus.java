package io.orchestrion.server.queue;

import io.orchestrion.kernel.work.WorkState;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The door's own words for the kernel's states.
public enum JobStatus {
    QUEUED(EnumSet.of(WorkState.WAITING, WorkState.READY)),
    RUNNING(EnumSet.of(WorkState.LEASED, WorkState.RUNNING)),
    SUCCEEDED(EnumSet.of(WorkState.SUCCEEDED)),
    /// Its worker reported that another attempt is of no use.
    FAILED(EnumSet.of(WorkState.FAILED)),
    /// Its attempts are used up.
    DEAD_LETTER(EnumSet.of(WorkState.DEAD)),
    CANCELLED(EnumSet.of(WorkState.CANCELLED));

    public static final List<String> WORDS = Arrays.stream(values()).map(JobStatus::word).toList();

    private final Set<WorkState> states;

    JobStatus(Set<WorkState> states) {
        this.states = states;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    Set<WorkState> states() {
        return states;
    }

    static JobStatus of(WorkState state) {
        for (JobStatus status : values()) {
            if (status.states.contains(state)) {
                return status;
            }
        }
        throw new IllegalStateException("no status for " + state);
    }

    static JobStatus of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
