package io.orchestrion.kernel.retry;

/// What kind of failure an error is. The server computes it from the error's code and status; a
/// worker never names it.
public enum ErrorClass {
    /// Something was away for a moment: a connection, a service, a worker.
    TRANSIENT(true, "retried with the policy's delay until the attempts are used up"),

    /// A domain error that is known to be safe to repeat, such as a lost optimistic lock.
    RETRYABLE(true, "retried with the policy's delay until the attempts are used up"),

    /// Repeating it would fail in the same way: validation, permission, a broken rule.
    NON_RETRYABLE(false, "never retried; the step fails and becomes a dead letter"),

    /// The called service asks for fewer calls.
    RATE_LIMITED(
            true,
            "retried no earlier than Retry-After says, else with the policy's delay, until the"
                    + " attempts are used up"),

    /// Something that the called service itself needs is away.
    DEPENDENCY_FAILED(
            true,
            "retried with the policy's delay times delay_factor until the attempts are used up"),

    /// Something was done, or may have been, that a further attempt would do again.
    COMPENSATION_REQUIRED(
            false, "never retried; the compensation handler is run, or a person decides");

    private final boolean retried;
    private final String behaviour;

    ErrorClass(boolean retried, String behaviour) {
        this.retried = retried;
        this.behaviour = behaviour;
    }

    /// Whether a policy may name it as one to retry on.
    public boolean isRetried() {
        return retried;
    }

    /// By what the policy's delay is multiplied.
    ///
    /// @param ofDependencies how many times as long as usual a failed dependency is left alone
    public int delayFactor(int ofDependencies) {
        return this == DEPENDENCY_FAILED ? ofDependencies : 1;
    }

    /// What the engine does after such a failure, for people.
    public String behaviour() {
        return behaviour;
    }
}
