package io.orchestrion.kernel.bulk;

import io.orchestrion.kernel.idempotency.StoredAnswer;

/// The outcome of a request for an operation.
public sealed interface BulkMade {
    record Made(BulkOperation operation) implements BulkMade {}

    /// The account has so many operations under way already.
    record TooMany(int max) implements BulkMade {}

    /// The same request under the same key, answered before.
    record Replayed(StoredAnswer answer) implements BulkMade {}

    /// Another request under the same key.
    record KeyConflict() implements BulkMade {}

    /// The first request with the key is still under way.
    record KeyInFlight() implements BulkMade {}
}
