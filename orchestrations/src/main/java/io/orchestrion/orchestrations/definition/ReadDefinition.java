package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.document.DocumentBounds;
import io.orchestrion.kernel.document.Finding;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What came of reading a document.
///
/// @param findings all of them, at most [DocumentBounds#FINDINGS]; those that
///     refuse the document come first, then those that refuse publishing, then warnings
/// @param definition null when the document is refused. One that may not be published is given, so
///     that it can be kept as a draft and drawn, but it must not be executed
public record ReadDefinition(List<Finding> findings, @Nullable Definition definition) {
    public ReadDefinition {
        findings = List.copyOf(findings);
    }

    /// Whether a draft may be stored.
    public boolean isTaken() {
        return definition != null;
    }

    public boolean isPublishable() {
        return findings.stream().noneMatch(Finding::refusesPublishing);
    }

    public List<Finding> warnings() {
        return findings.stream().filter(finding -> !finding.refusesPublishing()).toList();
    }
}
