package io.orchestrion.kernel.db;

/// Whoever asked gave it no more time: nothing was written.
public final class DeadlinePassed extends RuntimeException {
    private static final long serialVersionUID = 1;

    public DeadlinePassed() {
        super("the caller's deadline passed before anything was written");
    }
}
