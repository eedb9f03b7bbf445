package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// What became of one of many dead letters that were to be tried again.
///
/// @param result `reprocessed`, or the code of an error
/// @param message why not, or null
public record Reprocessed(UUID id, String result, @Nullable String message) {
    /// Whether there is a new attempt.
    public boolean done() {
        return result.equals("reprocessed");
    }
}
