package io.orchestrion.kernel.schema;

/// As many long checks wait as are allowed, so this one was not done.
public final class ChecksBusy extends RuntimeException {
    private static final long serialVersionUID = 1;

    ChecksBusy(String message) {
        super(message, null, false, false);
    }

    /// A sentence for who asked.
    public String said() {
        return String.valueOf(getMessage());
    }
}
