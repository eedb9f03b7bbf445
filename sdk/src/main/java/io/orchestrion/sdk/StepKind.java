package io.orchestrion.sdk;

import java.util.Locale;

/// What an attempt at a step is for.
public enum StepKind {
    /// The step's own work.
    STEP,
    /// The question, before a further attempt, whether the last one got through.
    GUARD,
    /// Undoing what a failed step has done, or may have done.
    COMPENSATION,
    /// A kind that this client does not know, of a newer server.
    UNKNOWN;

    /// As the HTTP interface says it.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The kind of this word; [#UNKNOWN] for one that this client does not know.
    public static StepKind of(String word) {
        for (StepKind kind : values()) {
            if (kind.word().equals(word)) {
                return kind;
            }
        }
        return UNKNOWN;
    }
}
