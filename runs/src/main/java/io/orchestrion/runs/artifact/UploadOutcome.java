package io.orchestrion.runs.artifact;

import io.orchestrion.runs.state.RunStatus;

/// What became of an upload. Unless it is stored, nothing is left of it.
public sealed interface UploadOutcome {
    record Stored(Artifact artifact) implements UploadOutcome {}

    record NoRun() implements UploadOutcome {}

    /// The run has no such step.
    record NoStep() implements UploadOutcome {}

    /// @param deleted whether the run was taken away before it was started
    record RunOver(RunStatus status, boolean deleted) implements UploadOutcome {}

    record NameTaken(Artifact by) implements UploadOutcome {}

    /// @param limit that all artifacts of the run may have together
    /// @param used by the others
    record TooLarge(long limit, long used) implements UploadOutcome {}

    record TooManyArtifacts(int limit) implements UploadOutcome {}

    /// Of the run, on all nodes.
    record TooManyUploads(int limit) implements UploadOutcome {}

    /// What arrived is not what was said before.
    ///
    /// @param sha256 of what arrived
    record OtherContent(String sha256) implements UploadOutcome {}

    /// Another request, with the same idempotency key, has ended first.
    record Repeated() implements UploadOutcome {}

    /// It was taken for dead while it went on.
    record Lost() implements UploadOutcome {}
}
