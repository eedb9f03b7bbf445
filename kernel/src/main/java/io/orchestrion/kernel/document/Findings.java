package io.orchestrion.kernel.document;

import io.orchestrion.kernel.document.Finding.Level;
import io.orchestrion.kernel.document.Finding.Severity;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Collects what is found in one document, up to a bound.
public final class Findings {
    private final List<Finding> found = new ArrayList<>();
    private boolean refusesDocument;
    private boolean refusesPublishing;
    private boolean more;

    public void add(FindingCode code, String pointer, String message, String hint) {
        var finding = new Finding(code.severity(), code.level(), pointer, code, message, hint);
        refusesDocument |= finding.refusesDocument();
        refusesPublishing |= finding.refusesPublishing();
        if (found.size() < DocumentBounds.FINDINGS) {
            found.add(finding);
        } else {
            more = true;
        }
    }

    public boolean refusesDocument() {
        return refusesDocument;
    }

    public List<Finding> list() {
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
                        DocumentCode.TOO_MANY_FINDINGS,
                        "There are more findings than the "
                                + DocumentBounds.FINDINGS
                                + " that are listed.",
                        "Correct these and try again."));
        return List.copyOf(all);
    }
}
