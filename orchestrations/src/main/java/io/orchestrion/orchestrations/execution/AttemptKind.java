package io.orchestrion.orchestrations.execution;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// What an attempt is for.
public enum AttemptKind {
    /// The step's own work.
    STEP,
    /// The check, before a further attempt, whether the last one got through.
    GUARD,
    /// Undoing what a failed step has or may have done.
    COMPENSATION;

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
        return word;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(AttemptKind::word).toList();
    }

    static AttemptKind of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
