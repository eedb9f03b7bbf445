package io.orchestrion.orchestrations.expression;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Set;

/// An expression of the Common Expression Language over `input`, `steps` and `execution`. Nothing
/// of CEL is loaded before the first one is looked at.
public final class CelExpression {
    private final String source;
    private volatile @Nullable CompiledCel compiled;

    CelExpression(String source) {
        this.source = source;
    }

    public String source() {
        return source;
    }

    /// What is wrong with it; null when it can be used.
    ///
    /// @param condition whether it has to give true or false
    @Nullable String fault(boolean condition) {
        CompiledCel known = compiled();
        if (known.fault() != null) {
            return known.fault();
        }
        return condition && !known.mayBeBoolean()
                ? "has the type " + known.type() + " where a condition must be true or false"
                : null;
    }

    /// Whose results it uses.
    Set<String> stepIds() {
        return compiled().stepIds();
    }

    /// @param code of a failure
    Evaluated<JsonNode> evaluate(Values values, String code) {
        return compiled().evaluate(values, code);
    }

    private CompiledCel compiled() {
        CompiledCel known = compiled;
        if (known == null) {
            // Two threads may both do it, and either's is as good.
            known = CelCompiling.compile(source);
            compiled = known;
        }
        return known;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CelExpression expression && source.equals(expression.source);
    }

    @Override
    public int hashCode() {
        return source.hashCode();
    }

    @Override
    public String toString() {
        return source;
    }
}
