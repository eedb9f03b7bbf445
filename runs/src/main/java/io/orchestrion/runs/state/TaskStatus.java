package io.orchestrion.runs.state;

import io.orchestrion.kernel.lifecycle.TransitionTable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Where a task is. A change is named by the status that it leads to.
public enum TaskStatus {
    PENDING,
    RUNNING,
    COMPLETED,
    FAILED,
    SKIPPED,
    CANCELLED;

    /// The only graph of tasks. The database's guard, the page of lifecycles and the tests read it.
    public static final TransitionTable<TaskStatus, TaskStatus> TABLE =
            TransitionTable.<TaskStatus, TaskStatus>empty()
                    .row(PENDING, RUNNING, RUNNING)
                    .row(PENDING, SKIPPED, SKIPPED)
                    .row(PENDING, CANCELLED, CANCELLED)
                    .row(RUNNING, COMPLETED, COMPLETED)
                    .row(RUNNING, FAILED, FAILED)
                    .row(RUNNING, SKIPPED, SKIPPED)
                    .row(RUNNING, CANCELLED, CANCELLED)
                    .row(FAILED, PENDING, PENDING)
                    .row(FAILED, SKIPPED, SKIPPED)
                    .row(COMPLETED, PENDING, PENDING)
                    .row(SKIPPED, PENDING, PENDING)
                    .row(CANCELLED, PENDING, PENDING);

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
        return word;
    }

    public boolean isOver() {
        return this == COMPLETED || this == FAILED || this == CANCELLED || this == SKIPPED;
    }

    public boolean mayBecome(TaskStatus next) {
        return TABLE.allows(this, next);
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(TaskStatus::word).toList();
    }

    public static Optional<TaskStatus> named(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }

    public static TaskStatus of(String word) {
        return named(word).orElseThrow(() -> new IllegalArgumentException("no status " + word));
    }
}
