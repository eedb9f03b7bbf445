package io.orchestrion.orchestrations.expression;

import org.jspecify.annotations.Nullable;

/// A place where an expression of CEL stands.
///
/// @param pointer of the expression, as a JSON Pointer into the document
/// @param condition whether it has to give true or false
public record CelUse(String pointer, CelExpression expression, boolean condition) {
    /// Compiles it, which takes milliseconds, and says what is wrong; null when it can be used.
    public @Nullable ExpressionFault fault() {
        String fault = expression.fault(condition);
        return fault == null
                ? null
                : new ExpressionFault(
                        pointer,
                        ExpressionFault.Kind.CEL,
                        "The expression " + fault + ".",
                        "Correct the expression; it knows input, steps.<step id>.result and"
                                + " execution.");
    }
}
