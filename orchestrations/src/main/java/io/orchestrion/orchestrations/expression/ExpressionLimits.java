package io.orchestrion.orchestrations.expression;

/// How much an expression may say and do.
public final class ExpressionLimits {
    /// Characters of a reference such as `$.steps.a.result.b`.
    public static final int REFERENCE_CHARACTERS = 500;

    /// Names and indexes of a reference after its beginning.
    public static final int REFERENCE_SEGMENTS = 32;

    /// The largest index of a reference.
    public static final int INDEX = 999_999;

    /// Characters of what a mapping gives, written as JSON. What goes to a handler is bounded
    /// further where it is stored.
    public static final int MAPPED_CHARACTERS = 1_048_576;

    /// Levels of `all`, `any` and `not`.
    public static final int CONDITION_DEPTH = 10;

    /// Conditions in one list of `all` or `any`.
    public static final int CONDITION_LIST = 50;

    /// Conditions within one, itself included.
    public static final int CONDITION_PARTS = 200;

    /// Values of `in` and `not_in`.
    public static final int CONDITION_VALUES = 200;

    /// Unicode characters of a CEL expression.
    public static final int CEL_CHARACTERS = 2_000;

    /// Levels of a CEL expression.
    public static final int CEL_DEPTH = 40;

    /// Nodes of a CEL expression with its macros written out.
    public static final int CEL_NODES = 2_000;

    /// Macros that loop: `all`, `exists`, `exists_one`, `map`, `filter`. Each is also a way to give
    /// a value a name, so that a few of them can double types and values over and over.
    public static final int CEL_LOOPS = 10;

    /// Turns of all loops of one evaluation together.
    public static final int CEL_ITERATIONS = 10_000;

    /// What one evaluation may join, compare and search, in characters and elements.
    public static final int CEL_WORK = 4_000_000;

    /// Size of the program of a pattern for `matches`.
    public static final int CEL_PATTERN = 1_000;

    private ExpressionLimits() {}
}
