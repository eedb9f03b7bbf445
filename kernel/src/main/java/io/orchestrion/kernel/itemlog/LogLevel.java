package io.orchestrion.kernel.itemlog;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/// How much a line of a log matters.
public enum LogLevel {
    DEBUG,
    INFO,
    WARN,
    ERROR;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Null for a word that is none of them.
    public static @Nullable LogLevel of(String word) {
        for (LogLevel level : values()) {
            if (level.word().equals(word)) {
                return level;
            }
        }
        return null;
    }
}
