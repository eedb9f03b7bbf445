package io.orchestrion.kernel.bulk;

import io.orchestrion.kernel.idempotency.StoredAnswer;

/// What came of asking for an operation.
public sealed interface BulkMade {
    record Made(BulkOperation operation) implements BulkMade {}

    /// So many of the account are under way already.
    record TooMany(int max) implements BulkMade {}

    /// The same request under the same key, answered before.
    record Replayed(StoredAnswer answer) implements BulkMade {}

    /// Another request under the same key.
    record KeyConflict() implements BulkMade {}

    /// The first request with the key is still under way.
    record KeyInFlight() implements BulkMade {}
}
