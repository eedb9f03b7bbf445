package io.orchestrion.runs.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Why people are asked.
public enum EscalationTrigger {
    /// The next attempt would be due later than the longest delay.
    BACKOFF_EXCEEDED,
    ERROR_COUNT,
    ERROR_RATE,
    /// The run has failed because attempts were used up. Nothing waits for an answer.
    MAX_ATTEMPTS;

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
        return word;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(EscalationTrigger::word).toList();
    }
}
