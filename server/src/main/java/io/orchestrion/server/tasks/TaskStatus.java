package io.orchestrion.server.tasks;

import io.orchestrion.kernel.work.WorkState;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The door's own words for the kernel's states.
public enum TaskStatus {
    PENDING(EnumSet.of(WorkState.WAITING, WorkState.READY)),
    CLAIMED(EnumSet.of(WorkState.LEASED, WorkState.RUNNING)),
    COMPLETED(EnumSet.of(WorkState.SUCCEEDED)),
    /// A task is never merely failed; the state is here so that every state has a word.
    DEAD_LETTER(EnumSet.of(WorkState.DEAD, WorkState.FAILED)),
    CANCELLED(EnumSet.of(WorkState.CANCELLED));

    public static final List<String> WORDS = Arrays.stream(values()).map(TaskStatus::word).toList();

    private final Set<WorkState> states;
    private final String word = name().toLowerCase(Locale.ROOT);

    TaskStatus(Set<WorkState> states) {
        this.states = states;
    }

    public String word() {
        return word;
    }

    /// Whether nothing happens to it any more by itself.
    public boolean terminal() {
        return states.stream().allMatch(WorkState::ended);
    }

    Set<WorkState> states() {
        return states;
    }

    static TaskStatus of(WorkState state) {
        for (TaskStatus status : values()) {
            if (status.states.contains(state)) {
                return status;
            }
        }
        throw new IllegalStateException("no status for " + state);
    }

    static TaskStatus of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
