package io.orchestrion.kernel.flow;

import org.jspecify.annotations.Nullable;

/// The key whose limits an item obeys. A part that is absent is not limited.
///
/// @param concurrency items with the same value share its slots
/// @param rate items with the same value share its starts in a time
public record FlowKey(@Nullable String concurrency, @Nullable String rate) {
    private static final char BETWEEN = 31;

    /// A key with a control character could be taken for two.
    public FlowKey {
        check(concurrency);
        check(rate);
    }

    private static void check(@Nullable String key) {
        if (key != null && (key.isEmpty() || key.chars().anyMatch(Character::isISOControl))) {
            throw new IllegalArgumentException(
                    "a key must not be empty or hold control characters");
        }
    }

    /// Reads it from the column `flow_key`.
    public static FlowKey read(String flowKey) {
        int between = flowKey.indexOf(BETWEEN);
        if (between < 0) {
            throw new IllegalArgumentException("not the text of two keys");
        }
        return new FlowKey(
                nullIfEmpty(flowKey.substring(0, between)),
                nullIfEmpty(flowKey.substring(between + 1)));
    }

    /// In the form of that column.
    public String written() {
        return orEmpty(concurrency) + BETWEEN + orEmpty(rate);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static @Nullable String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }
}
