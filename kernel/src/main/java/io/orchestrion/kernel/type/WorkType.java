package io.orchestrion.kernel.type;

import org.jspecify.annotations.Nullable;

/// A registered type of work: what its account says of it, and how it stands.
public record WorkType(Spec spec, State state) {

    /// What an account sets for a type.
    ///
    /// @param payloadSchema JSON Schema as compact text; null for any payload
    /// @param resultSchema the same for results
    /// @param agingMs how long an item waits until it counts as one step of priority more; null for
    ///     no aging
    public record Spec(
            String kind,
            @Nullable String description,
            @Nullable String payloadSchema,
            @Nullable String resultSchema,
            Defaults defaults,
            @Nullable Long agingMs,
            Limits limits) {

        /// No settings at all.
        static Spec none(String kind) {
            return new Spec(kind, null, null, null, Defaults.NONE, null, Limits.NONE);
        }

        /// About how much memory it takes.
        int weight() {
            return 500 + length(description) + length(payloadSchema) + length(resultSchema);
        }

        private static int length(@Nullable String text) {
            return text == null ? 0 : 2 * text.length();
        }
    }

    /// Values for tasks whose producer gives none; null for the values that hold without the type.
    public record Defaults(
            @Nullable Integer priority,
            @Nullable Integer maxAttempts,
            @Nullable Integer leaseSeconds) {
        public static final Defaults NONE = new Defaults(null, null, null);
    }

    /// How much of it may go on at once and in a time.
    public record Limits(
            @Nullable Integer concurrencyMax, @Nullable Integer rateMax, @Nullable Long periodMs) {
        public static final Limits NONE = new Limits(null, null, null);

        /// Whether items are claimed key by key.
        boolean flow() {
            return concurrencyMax != null || rateMax != null;
        }
    }

    /// @param pausedMs since when nothing of it is claimed; null when it may be
    /// @param drainingMs since when nothing of it is taken in; null when it is
    /// @param reranking whether items may still stand where another aging interval put them
    public record State(
            @Nullable Long pausedMs,
            @Nullable Long drainingMs,
            boolean reranking,
            long createdMs,
            long updatedMs) {}

    public boolean paused() {
        return state.pausedMs() != null;
    }

    public boolean draining() {
        return state.drainingMs() != null;
    }
}
