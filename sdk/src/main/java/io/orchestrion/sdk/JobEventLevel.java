package io.orchestrion.sdk;

import java.util.Locale;

/// The severity of a line of a job's log.
///
/// ```java
/// client.queue().append(held, JobEventLevel.WARN, "the disk is nearly full", null);
/// ```
public enum JobEventLevel {
    DEBUG,
    INFO,
    WARN,
    ERROR;

    /// The level as the HTTP interface writes it: `info`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The level that the HTTP interface calls so; [#INFO] for a word that this client does not
    /// know.
    public static JobEventLevel of(String word) {
        for (JobEventLevel level : values()) {
            if (level.word().equals(word)) {
                return level;
            }
        }
        return INFO;
    }
}
