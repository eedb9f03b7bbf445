package io.orchestrion.runs.tree;

import org.jspecify.annotations.Nullable;

/// Why something did not end well.
///
/// @param skipReason why it was skipped, in a word; null where it was not
/// @param code the name of the error
public record Fault(@Nullable String skipReason, @Nullable String code, @Nullable String message) {
    public static final Fault NONE = new Fault(null, null, null);

    /// Something that it depends on did not end well.
    public static final Fault DEPENDENCY = new Fault("dependency_failed", null, null);

    public static Fault of(String code, String message) {
        return new Fault(null, code, message);
    }

    public Fault skipped(String reason) {
        return new Fault(reason, code, message);
    }
}
