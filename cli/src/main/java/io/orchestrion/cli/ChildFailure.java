package io.orchestrion.cli;

/// A child that did not end well, or never began.
final class ChildFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final String code;
    private final boolean retryable;

    /// @param code a word for programs: `exit_7`, `cannot_start`
    /// @param retryable whether another attempt may go better
    ChildFailure(String code, String message, boolean retryable) {
        super(message);
        this.code = code;
        this.retryable = retryable;
    }

    String code() {
        return code;
    }

    String reason() {
        return String.valueOf(getMessage());
    }

    boolean retryable() {
        return retryable;
    }
}
