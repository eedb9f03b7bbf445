package io.orchestrion.sdk;

/// When a job of `/v1/jobs` runs, and what its success is called.
public enum JobType {
    /// Runs as soon as possible.
    EXECUTE,
    /// Runs at a given time.
    DEFERRED,
    /// Runs as soon as possible to send an event: its success is called `job.emitted`.
    EMIT_EVENT
}
