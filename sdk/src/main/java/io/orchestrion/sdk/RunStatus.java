package io.orchestrion.sdk;

import java.util.Locale;

/// Where a [Run] is.
///
/// ```java
/// boolean over = client.runs().get("run_0195f2b4-0000-7000-8000-000000000001").status().ended();
/// ```
public enum RunStatus {
    /// Made, and not started.
    CREATED,
    /// Started. Its credits are reserved, and it waits for the server to pick it up.
    PENDING,
    RUNNING,
    /// Nothing new begins until it is resumed.
    PAUSED,
    RESUMING,
    COMPLETED,
    /// Ended, unless somebody has it retried.
    FAILED,
    CANCELLED,
    /// Waits for its next attempt.
    RETRYING,
    /// Ended without an agent that did its part, which its failure mode allows.
    SKIPPED,
    /// A status that this client does not know, of a newer server.
    UNKNOWN;

    /// As the HTTP interface says it.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Whether the run has ended.
    public boolean ended() {
        return switch (this) {
            case COMPLETED, FAILED, CANCELLED, SKIPPED -> true;
            case CREATED, PENDING, RUNNING, PAUSED, RESUMING, RETRYING, UNKNOWN -> false;
        };
    }

    /// The status of this word; [#UNKNOWN] for one that this client does not know.
    public static RunStatus of(String word) {
        for (RunStatus status : values()) {
            if (status.word().equals(word)) {
                return status;
            }
        }
        return UNKNOWN;
    }
}
