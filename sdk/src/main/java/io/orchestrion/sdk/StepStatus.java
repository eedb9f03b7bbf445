package io.orchestrion.sdk;

import java.util.Locale;

/// Where a [StepExecution] is.
public enum StepStatus {
    /// The first attempt, which nobody has begun.
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    /// A further attempt, which nobody has begun.
    RETRYING,
    TIMED_OUT,
    /// Overtaken before anybody began it.
    SKIPPED,
    AWAITING_APPROVAL,
    /// A status that this client does not know, of a newer server.
    UNKNOWN;

    /// As the HTTP interface says it.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Whether the attempt has ended.
    public boolean ended() {
        return switch (this) {
            case SUCCEEDED, FAILED, TIMED_OUT, SKIPPED -> true;
            case PENDING, RUNNING, RETRYING, AWAITING_APPROVAL, UNKNOWN -> false;
        };
    }

    /// The status of this word; [#UNKNOWN] for one that this client does not know.
    public static StepStatus of(String word) {
        for (StepStatus status : values()) {
            if (status.word().equals(word)) {
                return status;
            }
        }
        return UNKNOWN;
    }
}
