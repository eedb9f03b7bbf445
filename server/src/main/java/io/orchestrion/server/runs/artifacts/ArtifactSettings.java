package io.orchestrion.server.runs.artifacts;

import io.orchestrion.runs.artifact.ArtifactOptions;

import org.jspecify.annotations.Nullable;

/// What is set of artifacts.
///
/// @param place null where none is known
/// @param fault what is wrong with the settings; null when nothing is
public record ArtifactSettings(
        @Nullable StorePlace place, ArtifactOptions options, @Nullable String fault) {
    /// Of a server that was told nothing.
    public static final ArtifactSettings NOWHERE =
            new ArtifactSettings(
                    null, ArtifactOptions.DEFAULT, "no place is set where artifacts are kept");

    public static ArtifactSettings in(StorePlace place, ArtifactOptions options) {
        return new ArtifactSettings(place, options, null);
    }

    static ArtifactSettings broken(String why) {
        return new ArtifactSettings(null, ArtifactOptions.DEFAULT, why);
    }
}
