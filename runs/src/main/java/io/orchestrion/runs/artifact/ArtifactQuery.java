package io.orchestrion.runs.artifact;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Which artifacts of a run are wanted, newest first.
///
/// @param state null for all but those that were discarded
/// @param before only older ones
public record ArtifactQuery(
        UUID account, UUID run, @Nullable ArtifactState state, UUID before, int limit) {
    /// Before which every artifact is.
    public static final UUID NEWEST = new UUID(-1, -1);
}
