package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.document.Findings;
import io.orchestrion.orchestrations.expression.ExpressionFault;

import java.util.function.Consumer;

/// Makes findings of what is wrong with expressions.
final class ExpressionFindings {
    private ExpressionFindings() {}

    static Consumer<ExpressionFault> to(Findings findings) {
        return fault -> findings.add(code(fault), fault.pointer(), fault.message(), fault.hint());
    }

    private static DefinitionCode code(ExpressionFault fault) {
        return switch (fault.kind()) {
            case MAPPING -> DefinitionCode.INVALID_MAPPING;
            case REFERENCE -> DefinitionCode.INVALID_REFERENCE;
            case CONDITION -> DefinitionCode.INVALID_CONDITION;
            case CEL -> DefinitionCode.INVALID_CEL;
        };
    }
}
