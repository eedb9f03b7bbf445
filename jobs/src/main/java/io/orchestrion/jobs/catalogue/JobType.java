package io.orchestrion.jobs.catalogue;

/// What a client may ask for; the names are those of the wire.
public enum JobType {
    /// As soon as possible.
    EXECUTE,
    /// At a given time.
    DEFERRED,
    /// As soon as possible, and its success is announced as an event of its own name.
    EMIT_EVENT
}
