package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A page of worker tokens.
///
/// @param nextCursor pass it to [WorkerTokens#list(String)]; null on the last page
public record WorkerTokenPage(List<WorkerToken> tokens, @Nullable String nextCursor) {
    public WorkerTokenPage {
        tokens = List.copyOf(tokens);
    }
}
