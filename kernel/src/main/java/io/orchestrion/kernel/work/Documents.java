package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What an item carries besides its state.
///
/// @param payload JSON text
/// @param result JSON text of a completed item
/// @param reported what its attempts left beside the result
/// @param dependsOn what it waits for, or waited for
public record Documents(
        String payload,
        @Nullable String result,
        @Nullable String outputRef,
        Reported reported,
        List<Dependency> dependsOn) {

    /// A [Report] as it is stored.
    ///
    /// @param error JSON text: why the newest attempt that failed did
    /// @param usage JSON text: what the newest attempt used up
    public record Reported(
            @Nullable String error, @Nullable String usage, @Nullable String logsRef) {
        public static final Reported NOTHING = new Reported(null, null, null);

        public static Reported of(Report report) {
            WorkError error = report.error();
            return new Reported(
                    error == null ? null : error.json(), report.usage(), report.logsRef());
        }
    }

    public Documents {
        dependsOn = List.copyOf(dependsOn);
    }

    public Documents(String payload, @Nullable String result, @Nullable String outputRef) {
        this(payload, result, outputRef, Reported.NOTHING, List.of());
    }

    public Documents with(List<Dependency> parents) {
        return new Documents(payload, result, outputRef, reported, parents);
    }
}
