package io.orchestrion.jobs.handler;

import org.jspecify.annotations.Nullable;

/// The work failed, and its handler knows whether trying again may help.
public final class JobFailedException extends Exception {
    private static final long serialVersionUID = 1;

    private final String code;
    private final boolean retryable;

    /// @param code capitals, digits and underscores, at most 64 of them
    public JobFailedException(String code, String message, boolean retryable) {
        this(code, message, retryable, null);
    }

    public JobFailedException(
            String code, String message, boolean retryable, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.retryable = retryable;
    }

    public String code() {
        return code;
    }

    public boolean retryable() {
        return retryable;
    }
}
