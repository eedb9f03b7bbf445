package io.orchestrion.runs.plan;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// One call of a tool.
///
/// @param tool the type under which workers claim it
/// @param input a JSON object
/// @param timeoutMs how long one attempt may take; null for the default of the server
/// @param maxAttempts null for the default of the server
/// @param maxTokens how many tokens one attempt uses at most, as the author estimates; null where
///     nobody knows
/// @param outputSchema a JSON Schema that the output must match; null where any will do
/// @param dependencies names of steps of the same task that must have ended well before
public record StepPlan(
        String name,
        String tool,
        String input,
        @Nullable Long timeoutMs,
        @Nullable Integer maxAttempts,
        @Nullable Long maxTokens,
        @Nullable String outputSchema,
        List<String> dependencies) {
    public StepPlan {
        dependencies = List.copyOf(dependencies);
    }
}
