package io.orchestrion.runs.state;

import io.orchestrion.kernel.lifecycle.TransitionTable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Where a run is. A change is named by the status that it leads to.
public enum RunStatus {
    CREATED,
    PENDING,
    RUNNING,
    PAUSED,
    RESUMING,
    COMPLETED,
    FAILED,
    CANCELLED,
    RETRYING,
    SKIPPED;

    /// The only graph of runs. The database's guard, the page of lifecycles and the tests read it.
    public static final TransitionTable<RunStatus, RunStatus> TABLE =
            TransitionTable.<RunStatus, RunStatus>empty()
                    .row(CREATED, PENDING, PENDING)
                    .row(CREATED, CANCELLED, CANCELLED)
                    .row(PENDING, RUNNING, RUNNING)
                    .row(PENDING, CANCELLED, CANCELLED)
                    .row(PENDING, FAILED, FAILED)
                    .row(RUNNING, COMPLETED, COMPLETED)
                    .row(RUNNING, FAILED, FAILED)
                    .row(RUNNING, PAUSED, PAUSED)
                    .row(RUNNING, CANCELLED, CANCELLED)
                    .row(RUNNING, SKIPPED, SKIPPED)
                    .row(PAUSED, RESUMING, RESUMING)
                    .row(PAUSED, CANCELLED, CANCELLED)
                    .row(RESUMING, RUNNING, RUNNING)
                    .row(RESUMING, FAILED, FAILED)
                    .row(FAILED, RETRYING, RETRYING)
                    .row(RETRYING, PENDING, PENDING)
                    .row(RETRYING, FAILED, FAILED);

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
        return word;
    }

    /// Whether the attempt of the run is over and settled. A failed run may still be retried.
    public boolean isOver() {
        return this == COMPLETED || this == FAILED || this == CANCELLED || this == SKIPPED;
    }

    public boolean mayBecome(RunStatus next) {
        return TABLE.allows(this, next);
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(RunStatus::word).toList();
    }

    public static Optional<RunStatus> named(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }

    public static RunStatus of(String word) {
        return named(word).orElseThrow(() -> new IllegalArgumentException("no status " + word));
    }
}
