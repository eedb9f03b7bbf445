package io.orchestrion.simulator.history;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Something that must not be.
///
/// @param what in words, with the values that were seen
public record Violation(Rule rule, @Nullable UUID job, String what) {
    /// Where rules put what they find.
    @FunctionalInterface
    interface Finds {
        void add(Rule rule, @Nullable UUID job, String what);
    }
}
