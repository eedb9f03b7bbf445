package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What an item carries besides its state.
///
/// @param payload JSON text
/// @param result JSON text of a completed item
/// @param dependsOn what it waits for, or waited for
public record Documents(
        String payload,
        @Nullable String result,
        @Nullable String outputRef,
        List<Dependency> dependsOn) {

    public Documents {
        dependsOn = List.copyOf(dependsOn);
    }

    public Documents(String payload, @Nullable String result, @Nullable String outputRef) {
        this(payload, result, outputRef, List.of());
    }

    Documents with(List<Dependency> parents) {
        return new Documents(payload, result, outputRef, parents);
    }
}
