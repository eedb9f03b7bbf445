package io.orchestrion.runs.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Why another plan is wanted.
public enum ReplanTrigger {
    AGENTS_FAILED,
    TASKS_FAILED;

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
        return word;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(ReplanTrigger::word).toList();
    }
}
