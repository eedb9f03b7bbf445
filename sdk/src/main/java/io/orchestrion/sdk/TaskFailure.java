package io.orchestrion.sdk;

import java.time.Duration;

/// Thrown by a handler: the task has failed and should not be tried again before a time.
public final class TaskFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final Duration retryAfter;

    /// @param retryAfter one second to a day
    public TaskFailure(String reason, Duration retryAfter) {
        super(reason);
        this.retryAfter = retryAfter;
    }

    public Duration retryAfter() {
        return retryAfter;
    }
}
