package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.lifecycle.TransitionTable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Where an execution is. A change is named by the status that it leads to.
public enum ExecutionStatus {
    RUNNING,
    WAITING_APPROVAL,
    PAUSED,
    SUCCEEDED,
    FAILED,
    CANCELED;

    /// The only graph of executions. The database's guard, the page of lifecycles and the tests
    /// read it.
    public static final TransitionTable<ExecutionStatus, ExecutionStatus> TABLE =
            TransitionTable.<ExecutionStatus, ExecutionStatus>empty()
                    .row(RUNNING, WAITING_APPROVAL, WAITING_APPROVAL)
                    .row(WAITING_APPROVAL, RUNNING, RUNNING)
                    .row(RUNNING, PAUSED, PAUSED)
                    .row(PAUSED, RUNNING, RUNNING)
                    .row(RUNNING, SUCCEEDED, SUCCEEDED)
                    .row(RUNNING, FAILED, FAILED)
                    .row(RUNNING, CANCELED, CANCELED)
                    .row(PAUSED, CANCELED, CANCELED)
                    .row(WAITING_APPROVAL, CANCELED, CANCELED)
                    // Only by the retry that somebody asks for and that is in the audit log.
                    .row(FAILED, RUNNING, RUNNING);

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
        return word;
    }

    public boolean isTerminal() {
        return this == SUCCEEDED || this == FAILED || this == CANCELED;
    }

    public boolean mayBecome(ExecutionStatus next) {
        return TABLE.allows(this, next);
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(ExecutionStatus::word).toList();
    }

    public static Optional<ExecutionStatus> named(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }

    static ExecutionStatus of(String word) {
        return named(word).orElseThrow(() -> new IllegalArgumentException("no status " + word));
    }
}
