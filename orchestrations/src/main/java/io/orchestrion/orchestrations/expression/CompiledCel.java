package io.orchestrion.orchestrations.expression;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Set;

/// What compiling an expression gave. It names nothing of CEL, so that who holds one loads nothing.
interface CompiledCel {
    /// Such as `cannot be read at line 1, column 3: …`; null when it can be used.
    @Nullable String fault();

    boolean mayBeBoolean();

    /// The type of its value, in CEL's words.
    String type();

    Set<String> stepIds();

    Evaluated<JsonNode> evaluate(Values values, String code);

    record Faulty(String fault) implements CompiledCel {
        @Override
        public boolean mayBeBoolean() {
            return true;
        }

        @Override
        public String type() {
            return "dyn";
        }

        @Override
        public Set<String> stepIds() {
            return Set.of();
        }

        @Override
        public Evaluated<JsonNode> evaluate(Values values, String code) {
            return new Evaluated.Failed<>(code, "The expression " + fault + ".");
        }
    }
}
