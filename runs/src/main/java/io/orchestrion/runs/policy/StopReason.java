package io.orchestrion.runs.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Why there is no further attempt. A run that ends in failure was aborted for one of them.
public enum StopReason {
    NON_RETRYABLE,
    MAX_ATTEMPTS,
    INSUFFICIENT_CREDITS,
    CANCELLED,
    TIMEOUT;

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
        return word;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(StopReason::word).toList();
    }
}
