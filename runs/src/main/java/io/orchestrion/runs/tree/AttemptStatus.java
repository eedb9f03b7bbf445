package io.orchestrion.runs.tree;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Where an attempt of a step is.
public enum AttemptStatus {
    /// It waits for a worker, and counts for nothing before one has claimed it.
    PENDING,
    RUNNING,
    COMPLETED,
    FAILED,
    CANCELLED;

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
        return word;
    }

    public boolean isOver() {
        return this == COMPLETED || this == FAILED || this == CANCELLED;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(AttemptStatus::word).toList();
    }

    public static AttemptStatus of(String word) {
        return Arrays.stream(values())
                .filter(each -> each.word.equals(word))
                .findFirst()
                .orElseThrow();
    }
}
