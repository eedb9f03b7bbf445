package io.orchestrion.runs.artifact;

import java.time.Duration;

/// The bounds of artifacts.
///
/// @param bytesPerRun that all artifacts of a run may have together
/// @param artifactsPerRun how many a run may have
/// @param uploadsPerRun at once, on all nodes together
/// @param transfersOfNode uploads of this node at once, and as many downloads
/// @param transfersOfAccount how many of them may be of one account
/// @param lease an upload that has said nothing for so long counts as dead
public record ArtifactOptions(
        long bytesPerRun,
        int artifactsPerRun,
        int uploadsPerRun,
        int transfersOfNode,
        int transfersOfAccount,
        Duration lease) {
    public static final ArtifactOptions DEFAULT =
            new ArtifactOptions(10_000_000_000L, 1_000, 10, 64, 20, Duration.ofMinutes(3));

    /// How long an artifact is kept after the end of its run.
    public static final Duration KEPT = Duration.ofDays(30);

    /// How long it is kept at least after somebody got it.
    public static final Duration KEPT_AFTER_ACCESS = Duration.ofHours(1);

    public ArtifactOptions withBytesPerRun(long bytes) {
        return new ArtifactOptions(
                bytes, artifactsPerRun, uploadsPerRun, transfersOfNode, transfersOfAccount, lease);
    }

    public ArtifactOptions withArtifactsPerRun(int most) {
        return new ArtifactOptions(
                bytesPerRun, most, uploadsPerRun, transfersOfNode, transfersOfAccount, lease);
    }

    public ArtifactOptions withUploadsPerRun(int most) {
        return new ArtifactOptions(
                bytesPerRun, artifactsPerRun, most, transfersOfNode, transfersOfAccount, lease);
    }

    public ArtifactOptions withLease(Duration other) {
        return new ArtifactOptions(
                bytesPerRun,
                artifactsPerRun,
                uploadsPerRun,
                transfersOfNode,
                transfersOfAccount,
                other);
    }

    public ArtifactOptions withTransfers(int ofNode, int ofAccount) {
        return new ArtifactOptions(
                bytesPerRun, artifactsPerRun, uploadsPerRun, ofNode, ofAccount, lease);
    }
}
