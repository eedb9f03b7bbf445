package io.orchestrion.runs.artifact;

import io.orchestrion.runs.objects.ObjectKey;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// What a run has produced, as it is stored.
///
/// @param of what it is called, and where
/// @param size while it is uploaded, what is set aside for it
/// @param sha256 of the content, in hexadecimal; null until it is whole
/// @param discarded whether it never became an artifact
public record Artifact(
        UUID account,
        UUID id,
        Of of,
        ObjectKey key,
        long size,
        @Nullable String sha256,
        ArtifactState state,
        boolean discarded,
        Times times) {

    /// What is said of it when it is handed in.
    ///
    /// @param step the step that made it; null where none says so
    public record Of(UUID run, String name, String contentType, @Nullable UUID step) {}

    /// @param finishedMs when it was whole; null before
    /// @param expiresMs null while the run has not ended
    /// @param deletedMs when it was marked deleted; null before
    public record Times(
            long createdMs,
            @Nullable Long finishedMs,
            @Nullable Long expiresMs,
            @Nullable Long deletedMs) {}

    /// Whether its bytes are out of reach at that time, also when they are not removed yet.
    public boolean isOver(long nowMs) {
        return state == ArtifactState.DELETED
                || (times.expiresMs != null && times.expiresMs <= nowMs);
    }
}
