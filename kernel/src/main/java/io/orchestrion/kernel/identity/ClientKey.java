package io.orchestrion.kernel.identity;

import io.orchestrion.kernel.idempotency.StoredAnswer;

/// What came of asking for something with a client's keys.
public sealed interface ClientKey {
    /// There is a new secret, which nobody can ask for again.
    record Made(KeyView view, ApiKey key) implements ClientKey {}

    /// The key that is there; nothing was made.
    record Existing(KeyView view) implements ClientKey {}

    /// It opens nothing from now on, or has not for a while.
    record Revoked(KeyView view) implements ClientKey {}

    /// The same was asked for before.
    record Replayed(StoredAnswer answer) implements ClientKey {}

    /// The idempotency key was used for another request.
    record OtherRequest() implements ClientKey {}

    record InFlight() implements ClientKey {}

    record NoSuchClient() implements ClientKey {}

    record NoSuchKey() implements ClientKey {}

    /// Nobody's key was shown, and that does no longer.
    record KeyNeeded() implements ClientKey {}

    /// The keys were changed at the same moment, or there is none that could be.
    record Conflict() implements ClientKey {}
}
