package io.orchestrion.runs.run;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Locale;
import java.util.UUID;

/// A plan that a run has had.
///
/// @param document JSON text
/// @param failureAnalysis JSON text, of a plan that replaced another one
/// @param madeBy who made it: a caller, or the worker that completed the planning step
public record PlanVersion(
        UUID run,
        int attempt,
        int version,
        Source source,
        String document,
        @Nullable String failureAnalysis,
        String madeBy,
        long atMs) {

    public enum Source {
        STATIC,
        WORKER,
        OPENAI,
        HAND;

        private final String word = name().toLowerCase(Locale.ROOT);

        public String word() {
            return word;
        }

        static Source of(String word) {
            return Arrays.stream(values())
                    .filter(each -> each.word.equals(word))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
