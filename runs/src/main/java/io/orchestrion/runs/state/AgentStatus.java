package io.orchestrion.runs.state;

import io.orchestrion.kernel.lifecycle.TransitionTable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Where an agent is. A change is named by the status that it leads to.
public enum AgentStatus {
    PENDING,
    RUNNING,
    PAUSED,
    COMPLETED,
    FAILED,
    CANCELLED,
    SKIPPED;

    /// The only graph of agents. The database's guard, the page of lifecycles and the tests read
    /// it.
    public static final TransitionTable<AgentStatus, AgentStatus> TABLE =
            TransitionTable.<AgentStatus, AgentStatus>empty()
                    .row(PENDING, RUNNING, RUNNING)
                    .row(PENDING, PAUSED, PAUSED)
                    .row(PENDING, FAILED, FAILED)
                    .row(PENDING, CANCELLED, CANCELLED)
                    .row(RUNNING, PAUSED, PAUSED)
                    .row(RUNNING, COMPLETED, COMPLETED)
                    .row(RUNNING, FAILED, FAILED)
                    .row(RUNNING, CANCELLED, CANCELLED)
                    .row(RUNNING, SKIPPED, SKIPPED)
                    .row(PAUSED, PENDING, PENDING)
                    .row(PAUSED, FAILED, FAILED)
                    .row(PAUSED, CANCELLED, CANCELLED)
                    .row(FAILED, PENDING, PENDING)
                    .row(FAILED, SKIPPED, SKIPPED);

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
        return word;
    }

    public boolean isOver() {
        return this == COMPLETED || this == FAILED || this == CANCELLED || this == SKIPPED;
    }

    public boolean mayBecome(AgentStatus next) {
        return TABLE.allows(this, next);
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(AgentStatus::word).toList();
    }

    public static Optional<AgentStatus> named(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }

    public static AgentStatus of(String word) {
        return named(word).orElseThrow(() -> new IllegalArgumentException("no status " + word));
    }
}
