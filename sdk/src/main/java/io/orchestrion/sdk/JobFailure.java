package io.orchestrion.sdk;

/// Thrown by a handler: the job has failed, for good or to be tried again.
public final class JobFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean retryable;

    /// @param reason of which the server keeps 4000 characters
    public JobFailure(String reason, boolean retryable) {
        super(reason);
        this.retryable = retryable;
    }

    /// Whether another attempt may go better.
    public boolean retryable() {
        return retryable;
    }
}
