package io.orchestrion.runs.llm;

import io.orchestrion.kernel.work.WorkError;

import org.jspecify.annotations.Nullable;

/// What came of asking a model.
sealed interface ChatReply {
    /// A whole answer.
    record Answered(String text, TokenUsage usage) implements ChatReply {}

    /// None that can be used.
    ///
    /// @param usage null where nothing was used, as far as is known
    record Failed(WorkError error, @Nullable TokenUsage usage) implements ChatReply {}
}
