package io.orchestrion.sdk;

import java.util.Locale;

/// Where an [Execution] is.
public enum ExecutionStatus {
    RUNNING,
    /// A person has to decide.
    WAITING_APPROVAL,
    /// No further step begins until it is resumed.
    PAUSED,
    SUCCEEDED,
    /// Ended, unless somebody has it retried.
    FAILED,
    CANCELED,
    /// A status that this client does not know, of a newer server.
    UNKNOWN;

    /// As the HTTP interface says it.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Whether the execution has ended.
    public boolean ended() {
        return switch (this) {
            case SUCCEEDED, FAILED, CANCELED -> true;
            case RUNNING, WAITING_APPROVAL, PAUSED, UNKNOWN -> false;
        };
    }

    /// The status of this word; [#UNKNOWN] for one that this client does not know.
    public static ExecutionStatus of(String word) {
        for (ExecutionStatus status : values()) {
            if (status.word().equals(word)) {
                return status;
            }
        }
        return UNKNOWN;
    }
}
