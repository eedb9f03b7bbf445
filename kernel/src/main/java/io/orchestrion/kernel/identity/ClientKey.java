package io.orchestrion.kernel.identity;

import io.orchestrion.kernel.idempotency.StoredAnswer;

/// The outcome of a request about a client's keys.
public sealed interface ClientKey {
    /// A key was made. Its secret can never be read again.
    record Made(KeyView view, ApiKey key) implements ClientKey {}

    /// The key that is there; nothing was made.
    record Existing(KeyView view) implements ClientKey {}

    /// The key is revoked, now or since before.
    record Revoked(KeyView view) implements ClientKey {}

    /// The same was asked for before.
    record Replayed(StoredAnswer answer) implements ClientKey {}

    /// The idempotency key was used for another request.
    record OtherRequest() implements ClientKey {}

    record InFlight() implements ClientKey {}

    record NoSuchClient() implements ClientKey {}

    record NoSuchKey() implements ClientKey {}

    /// The request shows no key. That was enough for the first key only, for a limited time.
    record KeyNeeded() implements ClientKey {}

    /// The keys were changed at the same moment, or there is none that could be.
    record Conflict() implements ClientKey {}
}
