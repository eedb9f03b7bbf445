package io.orchestrion.sdk;

/// Thrown by a [JobHandler] to fail its job and to say whether it may be tried again.
///
/// ```java
/// throw new JobFailure("the repository does not exist", false);
/// ```
public final class JobFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean retryable;

    /// @param reason the server keeps its first 4000 characters
    /// @param retryable whether another attempt may succeed
    public JobFailure(String reason, boolean retryable) {
        super(reason);
        this.retryable = retryable;
    }

    /// Whether another attempt may succeed.
    public boolean retryable() {
        return retryable;
    }
}
