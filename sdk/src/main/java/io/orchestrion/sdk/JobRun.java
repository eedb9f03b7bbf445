package io.orchestrion.sdk;

/// A job while it is worked on.
public interface JobRun {
    /// As it was claimed, with its payload.
    QueueJob job();

    /// Its event log, to write to.
    JobLog log();

    /// Whether somebody has cancelled it; its handler is then interrupted once.
    boolean cancelRequested();
}
