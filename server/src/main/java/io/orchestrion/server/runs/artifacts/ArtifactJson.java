package io.orchestrion.server.runs.artifacts;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.runs.artifact.Artifact;
import io.orchestrion.runs.artifact.ArtifactState;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;
import io.orchestrion.server.runs.RunAction;
import io.orchestrion.server.runs.RunGuidance;

import java.util.UUID;

/// Artifacts as the door shows them, and what can be done next with one.
final class ArtifactJson {
    private ArtifactJson() {}

    static void write(JsonWriter out, Artifact artifact) {
        boolean whole = artifact.sha256() != null;
        out.text("id", PublicId.ARTIFACT.of(artifact.id()))
                .text("run_id", PublicId.RUN.of(artifact.of().run()))
                .text("name", artifact.of().name())
                .text("s3_key", artifact.key().text())
                .text("content_type", artifact.of().contentType())
                .integer("size", whole ? Long.valueOf(artifact.size()) : null)
                .text("checksum", artifact.sha256())
                .text("state", artifact.state().word())
                .bool("discarded", artifact.discarded())
                .text("source_step_id", PublicId.STEP.ofNullable(artifact.of().step()))
                .instant("created_at", artifact.times().createdMs())
                .instantOrNull("expires_at", artifact.times().expiresMs())
                .instantOrNull("deleted_at", artifact.times().deletedMs());
    }

    static String path(UUID artifact) {
        return ArtifactEndpoints.ALL + "/" + PublicId.ARTIFACT.of(artifact);
    }

    static NextAction download(UUID artifact) {
        return NextAction.call(RunAction.DOWNLOAD_ARTIFACT, "GET", path(artifact) + "/content");
    }

    static NextAction list(UUID run) {
        return NextAction.call(
                RunAction.LIST_ARTIFACTS, "GET", RunGuidance.path(run) + "/artifacts");
    }

    private static NextAction checkRun(UUID run) {
        return NextAction.call(RunAction.CHECK_RUN, "GET", RunGuidance.path(run));
    }

    static AgentContract guidance(Artifact artifact) {
        UUID run = artifact.of().run();
        return artifact.state() == ArtifactState.READY
                ? AgentContract.of(
                        true,
                        download(artifact.id()).best(),
                        NextAction.call(
                                RunAction.SHARE_ARTIFACT, "POST", path(artifact.id()) + "/url"),
                        list(run),
                        checkRun(run))
                : AgentContract.of(true, list(run).best(), checkRun(run));
    }

    static AgentContract guidanceOfRun(UUID run) {
        return AgentContract.of(true, checkRun(run).best());
    }
}
