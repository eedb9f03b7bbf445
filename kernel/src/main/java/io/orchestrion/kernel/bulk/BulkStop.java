package io.orchestrion.kernel.bulk;

/// The outcome of stopping an operation.
public sealed interface BulkStop {
    /// Now, or since before.
    record Stopped(BulkOperation operation) implements BulkStop {}

    /// It had come to its end by itself.
    record Ended(BulkOperation operation) implements BulkStop {}

    record NotFound() implements BulkStop {}
}
