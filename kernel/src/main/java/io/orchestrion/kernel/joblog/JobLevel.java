package io.orchestrion.kernel.joblog;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/// How much a line of a log matters.
public enum JobLevel {
    DEBUG,
    INFO,
    WARN,
    ERROR;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Null for a word that is none of them.
    public static @Nullable JobLevel of(String word) {
        for (JobLevel level : values()) {
            if (level.word().equals(word)) {
                return level;
            }
        }
        return null;
    }
}
