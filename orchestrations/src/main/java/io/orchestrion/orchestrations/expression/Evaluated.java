package io.orchestrion.orchestrations.expression;

/// What came of an expression.
public sealed interface Evaluated<T> {
    record Value<T>(T value) implements Evaluated<T> {}

    /// It has no value for this data. Evaluated again on the same data, it fails again.
    ///
    /// @param code of the error that the step fails with
    /// @param message for people
    record Failed<T>(String code, String message) implements Evaluated<T> {}

    /// A mapping has no value.
    String MAPPING_FAILED = "mapping_failed";

    /// A condition is neither true nor false.
    String CONDITION_FAILED = "condition_failed";
}
