package io.orchestrion.orchestrations.execution;

/// Codes of errors that the engine itself finds. All of them are of the class NON_RETRYABLE, unless
/// the matrix of errors says otherwise.
final class Codes {
    static final String APPROVAL_REJECTED = "approval_rejected";
    static final String APPROVAL_EXPIRED = "approval_expired";
    static final String EXECUTION_CANCELED = "execution_canceled";
    static final String EXECUTION_TIMEOUT = "execution_timeout";
    static final String MAPPING_FAILED = "mapping_failed";
    static final String NO_BRANCH_MATCHED = "no_branch_matched";
    static final String OUTPUT_SCHEMA_VIOLATION = "output_schema_violation";
    static final String INVALID_OUTPUT = "invalid_output";

    /// The path leads to a step again that is not safe to repeat.
    static final String NOT_SAFE_TO_RETRY = "not_safe_to_retry";

    /// The time of the whole step was over before another attempt was begun.
    static final String STEP_TIMEOUT = "step_timeout";

    /// Another attempt may find what this one did not. The matrix has it as TRANSIENT.
    static final String UNAVAILABLE = "unavailable";

    private Codes() {}
}
