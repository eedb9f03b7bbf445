package io.orchestrion.kernel.retry;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// How the delay before a further attempt grows.
public enum BackoffStrategy {
    /// Always the first delay.
    FIXED,

    /// Twice as long after each attempt, up to the longest delay.
    EXPONENTIAL,

    /// The exponential delay, shortened by a random part of up to a half, so that steps that failed
    /// together are not retried at one moment.
    JITTERED;

    private final String word = name().toLowerCase(Locale.ROOT);

    /// The word for it in a definition.
    public String word() {
        return word;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(BackoffStrategy::word).toList();
    }

    public static Optional<BackoffStrategy> named(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }
}
