package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What the server says of a document, of which nothing was stored.
///
/// @param valid whether it could be published as it is
/// @param checksum of the document; null if it cannot be read
public record Validation(boolean valid, List<Finding> findings, @Nullable String checksum) {
    public Validation {
        findings = List.copyOf(findings);
    }
}
