package io.orchestrion.kernel.idempotency;

/// The outcome of a verb that is done once for its key.
public sealed interface Keyed<T> {
    /// It was done now.
    record Done<T>(T value) implements Keyed<T> {}

    /// It was done before, and this is the answer it was given.
    record Replayed<T>(StoredAnswer answer) implements Keyed<T> {}

    /// The key was used for another request.
    record Conflict<T>() implements Keyed<T> {}

    /// The first request with the key is still under way.
    record InFlight<T>() implements Keyed<T> {}
}
