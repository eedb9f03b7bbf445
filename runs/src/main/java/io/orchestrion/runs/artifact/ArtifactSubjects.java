package io.orchestrion.runs.artifact;

import io.orchestrion.kernel.events.SubjectEvent;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.runs.id.PublicId;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.UUID;

/// What the account's log tells of artifacts: that one is there, and that its bytes are not any
/// more. An upload that came to nothing was no artifact.
public final class ArtifactSubjects {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String STORED = "stored";
    private static final String EXPIRED = "expired";

    public static final SubjectKind ARTIFACT =
            new SubjectKind(
                    "run_artifact",
                    "runs",
                    List.of(STORED, EXPIRED),
                    List.of(ArtifactState.READY.word(), ArtifactState.DELETED.word()));

    private ArtifactSubjects() {}

    static SubjectEvent stored(Artifact artifact) {
        ObjectNode data = data(artifact.id(), artifact.of().run(), artifact.of().name());
        UUID step = artifact.of().step();
        if (step != null) {
            data.put("step_id", PublicId.STEP.of(step));
        }
        data.put("content_type", artifact.of().contentType());
        data.put("size", artifact.size());
        data.put("sha256", artifact.sha256());
        return SubjectEvent.of(
                        ARTIFACT.word(), artifact.id(), 1, STORED, null, ArtifactState.READY.word())
                .with(data.toString(), PublicId.RUN.of(artifact.of().run()));
    }

    /// Its time was over, or its run was removed.
    static SubjectEvent expired(SweepSql.Due due) {
        ObjectNode data = data(due.id(), due.run(), due.name());
        return SubjectEvent.of(
                        ARTIFACT.word(),
                        due.id(),
                        2,
                        EXPIRED,
                        ArtifactState.READY.word(),
                        ArtifactState.DELETED.word())
                .with(data.toString(), PublicId.RUN.of(due.run()));
    }

    private static ObjectNode data(UUID id, UUID run, String name) {
        ObjectNode data = JSON.createObjectNode();
        data.put("run_id", PublicId.RUN.of(run));
        data.put("artifact_id", PublicId.ARTIFACT.of(id));
        data.put("name", name);
        return data;
    }
}
