package io.orchestrion.kernel.db;

/// The caller's deadline has passed, and nothing was written.
public final class DeadlinePassed extends RuntimeException {
    private static final long serialVersionUID = 1;

    public DeadlinePassed() {
        super("the caller's deadline passed before anything was written");
    }
}
