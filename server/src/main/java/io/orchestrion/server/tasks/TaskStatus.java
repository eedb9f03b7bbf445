package io.orchestrion.server.tasks;

import io.orchestrion.kernel.work.WorkState;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/// The door's own words for the kernel's states.
public enum TaskStatus {
    PENDING(EnumSet.of(WorkState.WAITING, WorkState.READY)),
    CLAIMED(EnumSet.of(WorkState.LEASED, WorkState.RUNNING)),
    COMPLETED(EnumSet.of(WorkState.SUCCEEDED)),
    DEAD_LETTER(EnumSet.of(WorkState.DEAD)),
    CANCELLED(EnumSet.of(WorkState.CANCELLED));

    public static final List<String> WORDS = Arrays.stream(values()).map(TaskStatus::word).toList();

    /// The word for a step of an engine whose attempt has failed. The engine decides what follows,
    /// so the step is no dead letter. A task without an owner never has this status.
    static final String FAILED = "failed";

    /// All words that an answer may have.
    public static final List<String> SHOWN =
            Stream.concat(WORDS.stream(), Stream.of(FAILED)).toList();

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

    public Set<WorkState> states() {
        return states;
    }

    /// The word for an item in this state, whoever it belongs to.
    public static String word(WorkState state) {
        return state == WorkState.FAILED ? FAILED : of(state).word();
    }

    /// The states that one of the words means.
    public static Set<WorkState> states(String shown) {
        return shown.equals(FAILED) ? EnumSet.of(WorkState.FAILED) : of(shown).states();
    }

    /// Of a task of one's own.
    public static TaskStatus of(WorkState state) {
        for (TaskStatus status : values()) {
            if (status.states.contains(state)) {
                return status;
            }
        }
        throw new IllegalStateException("no status for " + state);
    }

    public static TaskStatus of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
