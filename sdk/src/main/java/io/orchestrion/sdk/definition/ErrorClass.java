package io.orchestrion.sdk.definition;

/// The kind of a failure. The server computes it from the code and the HTTP status that a worker
/// reports; a worker never names it.
///
/// ```java
/// StepRetry often = StepRetry.fixed(10, Duration.ofSeconds(1)).on(ErrorClass.TRANSIENT);
/// ```
public enum ErrorClass {
    /// Something was away for a moment: a connection, a service, a worker.
    TRANSIENT,
    /// A domain error that is known to be safe to repeat, such as a lost optimistic lock.
    RETRYABLE,
    /// Repeating it would fail in the same way. Never retried.
    NON_RETRYABLE,
    /// The called service asks for fewer calls. Retried no earlier than it says.
    RATE_LIMITED,
    /// Something that the called service needs is away. Retried after a longer wait.
    DEPENDENCY_FAILED,
    /// Something was done, or may have been, that another attempt would do again. Never retried.
    COMPENSATION_REQUIRED
}
