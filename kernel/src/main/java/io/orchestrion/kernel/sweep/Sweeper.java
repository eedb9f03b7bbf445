package io.orchestrion.kernel.sweep;

/// One background duty. Every node runs it; batches with SKIP LOCKED and guarded writes see to it
/// that each change happens once.
public interface Sweeper {
    String name();

    /// One pass; returns how many things it changed, and the batch size or more when there may be
    /// more to do at once.
    int runOnce();

    /// From how many changes on another pass follows without a pause.
    int fullPass();
}
