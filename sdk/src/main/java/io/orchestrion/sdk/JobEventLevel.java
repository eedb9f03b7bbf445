package io.orchestrion.sdk;

import java.util.Locale;

/// How much an event of a job matters.
public enum JobEventLevel {
    DEBUG,
    INFO,
    WARN,
    ERROR;

    /// As it stands on the wire: `info`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The level of a word; [#INFO] for one that this client does not know.
    public static JobEventLevel of(String word) {
        for (JobEventLevel level : values()) {
            if (level.word().equals(word)) {
                return level;
            }
        }
        return INFO;
    }
}
