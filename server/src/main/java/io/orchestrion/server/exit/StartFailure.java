package io.orchestrion.server.exit;

import org.jspecify.annotations.Nullable;

/// The server cannot start for a reason an operator can act on. The message says what happened with
/// its particulars; what to do next is the advice of the code.
public final class StartFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final ExitCode code;

    public StartFailure(ExitCode code, String message) {
        this(code, message, null);
    }

    public StartFailure(ExitCode code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public ExitCode code() {
        return code;
    }

    public String problem() {
        String message = getMessage();
        return message == null ? code.meaning() : message;
    }
}
