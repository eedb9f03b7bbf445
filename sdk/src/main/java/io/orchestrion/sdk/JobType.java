package io.orchestrion.sdk;

/// When and to what end a job runs.
public enum JobType {
    /// As soon as possible.
    EXECUTE,
    /// At a time.
    DEFERRED,
    /// As soon as possible, to send an event: its success is named `job.emitted`.
    EMIT_EVENT
}
