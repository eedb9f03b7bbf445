package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.lifecycle.TransitionTable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Where one attempt of a step is. A change is named by the status that it leads to.
public enum StepStatus {
    /// The first attempt, which nobody has begun.
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    /// A further attempt, which nobody has begun.
    RETRYING,
    TIMED_OUT,
    /// Overtaken before anybody began it.
    SKIPPED,
    AWAITING_APPROVAL;

    /// The only graph of attempts. The database's guard, the page of lifecycles and the tests read
    /// it.
    public static final TransitionTable<StepStatus, StepStatus> TABLE =
            TransitionTable.<StepStatus, StepStatus>empty()
                    .row(PENDING, RUNNING, RUNNING)
                    .row(RETRYING, RUNNING, RUNNING)
                    .row(PENDING, AWAITING_APPROVAL, AWAITING_APPROVAL)
                    .row(RUNNING, SUCCEEDED, SUCCEEDED)
                    .row(RUNNING, FAILED, FAILED)
                    .row(RUNNING, TIMED_OUT, TIMED_OUT)
                    .row(AWAITING_APPROVAL, SUCCEEDED, SUCCEEDED)
                    .row(AWAITING_APPROVAL, FAILED, FAILED)
                    .row(AWAITING_APPROVAL, TIMED_OUT, TIMED_OUT)
                    .row(PENDING, SKIPPED, SKIPPED)
                    .row(RETRYING, SKIPPED, SKIPPED)
                    .row(AWAITING_APPROVAL, SKIPPED, SKIPPED);

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
        return word;
    }

    public boolean isTerminal() {
        return this == SUCCEEDED || this == FAILED || this == TIMED_OUT || this == SKIPPED;
    }

    /// Whether nobody has begun it.
    public boolean isAhead() {
        return this == PENDING || this == RETRYING;
    }

    public boolean mayBecome(StepStatus next) {
        return TABLE.allows(this, next);
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(StepStatus::word).toList();
    }

    public static Optional<StepStatus> named(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }

    static StepStatus of(String word) {
        return named(word).orElseThrow(() -> new IllegalArgumentException("no status " + word));
    }
}
