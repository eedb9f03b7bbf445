package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

/// A file to upload for a run. Each method returns a changed copy.
///
/// ```java
/// NewArtifact report = NewArtifact.named("report.md").withType("text/markdown").ofStep("step_9");
/// ```
///
/// @param name of a file, that no other artifact of the run has; at most 255 bytes
/// @param contentType its media type
/// @param stepId the step that made it; null for none
/// @param sha256 of its content in hex digits: what arrives with another is refused; null for no
///     check
public record NewArtifact(
        String name, String contentType, @Nullable String stepId, @Nullable String sha256) {
    /// Of bytes that are nothing special.
    public static NewArtifact named(String name) {
        return new NewArtifact(name, "application/octet-stream", null, null);
    }

    public NewArtifact withType(String mediaType) {
        return new NewArtifact(name, mediaType, stepId, sha256);
    }

    public NewArtifact ofStep(@Nullable String id) {
        return new NewArtifact(name, contentType, id, sha256);
    }

    public NewArtifact withSha256(@Nullable String hex) {
        return new NewArtifact(name, contentType, stepId, hex);
    }

    Parameters parameters() {
        return new Parameters().with("name", name).with("step_id", stepId).with("sha256", sha256);
    }
}
