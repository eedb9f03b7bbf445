package io.orchestrion.runs.llm;

import io.orchestrion.kernel.json.JsonWriter;

/// How many tokens one or more answers took.
///
/// @param cached of those of the prompts, which the service had read before
/// @param estimated whether the service did not say, and the length of the texts was taken
record TokenUsage(long prompt, long cached, long completion, boolean estimated) {
    static final TokenUsage NONE = new TokenUsage(0, 0, 0, false);

    private static final int CHARACTERS_OF_TOKEN = 4;

    static TokenUsage estimated(long promptCharacters, long completionCharacters) {
        return new TokenUsage(
                Math.ceilDiv(promptCharacters, CHARACTERS_OF_TOKEN),
                0,
                Math.ceilDiv(completionCharacters, CHARACTERS_OF_TOKEN),
                true);
    }

    TokenUsage plus(TokenUsage other) {
        return new TokenUsage(
                prompt + other.prompt,
                cached + other.cached,
                completion + other.completion,
                estimated || other.estimated);
    }

    /// As it is reported with the attempt.
    String json(String model) {
        return JsonWriter.objectText(
                out -> {
                    out.integer("tokens", prompt + completion)
                            .integer("prompt_tokens", prompt)
                            .integer("cached_tokens", cached)
                            .integer("completion_tokens", completion)
                            .text("model", model);
                    if (estimated) {
                        out.bool("estimated", true);
                    }
                });
    }
}
