package io.orchestrion.server.runs.artifacts;

import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.json.TextField;
import io.orchestrion.runs.artifact.ArtifactState;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.server.runs.RunSpecs;

/// Artifacts as they are answered, and what is asked about them.
final class ArtifactSpecs {
    private ArtifactSpecs() {}

    static final int NAME_MAX = 255;
    static final String SHA256 = "^[0-9a-fA-F]{64}$";
    private static final String SHA256_EXAMPLE =
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    private static final int SHARED_SECONDS_MIN = 60;
    private static final int SHARED_SECONDS_MAX = 7 * 86_400;
    private static final int SHARED_SECONDS = 3_600;

    static TextField sha256(String name) {
        return text(name).pattern(SHA256).example(SHA256_EXAMPLE);
    }

    private static ObjectSpec artifact(String name) {
        return ObjectSpec.answer(name)
                .required(RunSpecs.id("id", PublicId.ARTIFACT))
                .required(RunSpecs.id("run_id", PublicId.RUN))
                .required(text("name"))
                .required(text("s3_key").doc("Of its object in the store; no other ever has it."))
                .required(text("content_type"))
                .required(
                        integer("size")
                                .range(0, Long.MAX_VALUE)
                                .nullable()
                                .doc("Bytes. Null until it is whole."))
                .required(
                        sha256("checksum")
                                .nullable()
                                .doc("SHA-256 of the content. Null until it is whole."))
                .required(oneOf("state", ArtifactState.words()))
                .required(bool("discarded").doc("Whether its upload never came to an end."))
                .required(
                        RunSpecs.id("source_step_id", PublicId.STEP)
                                .nullable()
                                .doc("The step that made it."))
                .required(instant("created_at"))
                .required(
                        instant("expires_at")
                                .nullable()
                                .doc(
                                        "After it the bytes are gone. Null while the run has not"
                                                + " ended."))
                .required(instant("deleted_at").nullable());
    }

    static final ObjectSpec ARTIFACT = RunSpecs.answer(artifact("RunArtifact"));
    static final ObjectSpec PAGE = RunSpecs.page("RunArtifactPage", artifact("RunArtifactListed"));

    static final ObjectSpec SHARE =
            ObjectSpec.named("RunArtifactShare")
                    .optional(
                            integer("expires_in_seconds")
                                    .range(SHARED_SECONDS_MIN, SHARED_SECONDS_MAX)
                                    .orElse(SHARED_SECONDS)
                                    .doc("How long the address is good."));

    static final ObjectSpec SHARED =
            RunSpecs.answer(
                    ObjectSpec.answer("RunArtifactAddress")
                            .required(
                                    text("url")
                                            .doc(
                                                    "Whoever has it can get the content, without a"
                                                            + " key."))
                            .required(instant("expires_at")));
}
