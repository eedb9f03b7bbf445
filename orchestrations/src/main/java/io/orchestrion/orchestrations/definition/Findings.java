package io.orchestrion.orchestrations.definition;

import io.orchestrion.orchestrations.definition.Finding.Level;
import io.orchestrion.orchestrations.definition.Finding.Severity;
import io.orchestrion.orchestrations.expression.ExpressionFault;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Collects what is found in one document, up to a bound.
final class Findings {
    private final List<Finding> found = new ArrayList<>();
    private boolean refusesDocument;
    private boolean refusesPublishing;
    private boolean more;

    void add(FindingCode code, String pointer, String message, String hint) {
        var finding = new Finding(code.severity(), code.level(), pointer, code, message, hint);
        refusesDocument |= finding.refusesDocument();
        refusesPublishing |= finding.refusesPublishing();
        if (found.size() < DefinitionLimits.FINDINGS) {
            found.add(finding);
        } else {
            more = true;
        }
    }

    void add(ExpressionFault fault) {
        FindingCode code =
                switch (fault.kind()) {
                    case MAPPING -> FindingCode.INVALID_MAPPING;
                    case REFERENCE -> FindingCode.INVALID_REFERENCE;
                    case CONDITION -> FindingCode.INVALID_CONDITION;
                    case CEL -> FindingCode.INVALID_CEL;
                };
        add(code, fault.pointer(), fault.message(), fault.hint());
    }

    boolean refusesDocument() {
        return refusesDocument;
    }

    List<Finding> list() {
        var all = new ArrayList<>(found);
        all.sort(Comparator.comparing(Finding::level).thenComparing(Finding::severity));
        if (!more) {
            return List.copyOf(all);
        }
        all.add(
                new Finding(
                        // What is not listed counts as much as what is.
                        refusesPublishing ? Severity.ERROR : Severity.WARNING,
                        refusesDocument ? Level.DOCUMENT : Level.PUBLISH,
                        "",
                        FindingCode.TOO_MANY_FINDINGS,
                        "There are more findings than the "
                                + DefinitionLimits.FINDINGS
                                + " that are listed.",
                        "Correct these and try again."));
        return List.copyOf(all);
    }
}
