package io.orchestrion.runs.llm;

import java.time.Duration;

/// How long a model may take.
///
/// @param connect for a connection
/// @param whole for one answer, from the request to the end of its stream
/// @param quiet without a further piece of the answer
public record LlmTimes(Duration connect, Duration whole, Duration quiet) {
    public static final LlmTimes USUAL =
            new LlmTimes(Duration.ofSeconds(10), Duration.ofMinutes(5), Duration.ofMinutes(1));

    /// The same, with no more time than is left.
    LlmTimes within(Duration left) {
        return new LlmTimes(shorter(connect, left), shorter(whole, left), shorter(quiet, left));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
