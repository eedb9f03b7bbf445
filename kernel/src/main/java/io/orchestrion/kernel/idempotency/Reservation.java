package io.orchestrion.kernel.idempotency;

/// What is known about the key of a request.
public sealed interface Reservation {
    /// The key is ours in this transaction; the effect must follow in it.
    record Ours() implements Reservation {}

    record Replay(StoredAnswer answer) implements Reservation {}

    /// The key was used for another request.
    record Conflict() implements Reservation {}

    /// The first request with the key is still under way.
    record InFlight() implements Reservation {}
}
