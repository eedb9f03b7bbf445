package io.orchestrion.server.runs.artifacts;

import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.runs.artifact.ArtifactState;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.runs.RunLimits;
import io.orchestrion.server.runs.RunSpecs;
import io.orchestrion.server.runs.RunsDoor;

import java.util.List;

/// The endpoints of artifacts.
public final class ArtifactEndpoints {
    private ArtifactEndpoints() {}

    static final String OF_RUN = RunsDoor.RUNS + "/{run_id}/artifacts";
    static final String ALL = RunsDoor.ROOT + "/artifacts";
    static final String ONE = ALL + "/{artifact_id}";

    private static final String ANY_TYPE = "*/*";
    private static final String RANGE = "Range";
    private static final int HEADER_MAX = 200;
    private static final String NO_ARTIFACT = "artifact_not_found";
    private static final String EXPIRED = "artifact_expired";
    private static final String NOT_WHOLE = "invalid_transition";

    static final Endpoint UPLOAD =
            RunSpecs.writing(
                            Endpoint.post("uploadRunArtifact", OF_RUN),
                            "run_not_found",
                            "step_not_found",
                            "invalid_transition",
                            "artifact_exists",
                            "artifacts_too_large",
                            "too_many_artifacts",
                            "too_many_uploads",
                            "checksum_mismatch",
                            "idempotency_conflict",
                            "idempotency_in_flight")
                    .scopes("runs:write", "producer", "worker", "admin")
                    .summary("Upload artifact of run; the body is its content")
                    .requiredQuery(
                            text("name")
                                    .length(1, ArtifactSpecs.NAME_MAX)
                                    .doc(
                                            "Of a file: at most 255 bytes, and none of"
                                                    + " / \\ : * ? \" < > |"))
                    .query(
                            RunSpecs.id("step_id", PublicId.STEP).doc("The step that made it."),
                            ArtifactSpecs.sha256("sha256")
                                    .doc("Of the content. What has another is refused."))
                    .rawBody(ANY_TYPE)
                    .response(201, ArtifactSpecs.ARTIFACT)
                    .response(200, ArtifactSpecs.ARTIFACT)
                    .build();

    static final Endpoint LIST =
            RunSpecs.paged(
                            RunSpecs.reading(
                                            Endpoint.get("listRunArtifacts", OF_RUN),
                                            "run_not_found")
                                    .query(
                                            oneOf("state", ArtifactState.words())
                                                    .doc(
                                                            "Without it, all but those whose upload"
                                                                    + " never came to an end.")))
                    .summary("List artifacts of run, newest first")
                    .response(200, ArtifactSpecs.PAGE)
                    .build();

    static final Endpoint GET =
            RunSpecs.reading(Endpoint.get("getRunArtifact", ONE), NO_ARTIFACT)
                    .summary("Get what is known of artifact, also when its bytes are gone")
                    .response(200, ArtifactSpecs.ARTIFACT)
                    .build();

    private static Endpoint.Builder content(Endpoint.Builder endpoint) {
        return endpoint.requestHeader(
                        text(RANGE)
                                .length(1, HEADER_MAX)
                                .doc("One range of bytes. Several are answered with the whole."))
                .requestHeader(
                        text("If-Range")
                                .length(1, HEADER_MAX)
                                .doc("The ETag; with another, the whole is answered."))
                .answerHeader("ETag", "The SHA-256 of the content.")
                .answerHeader("Accept-Ranges", "bytes")
                .answerHeader("Content-Disposition", "attachment, with the name of the artifact.")
                .answerHeader("Content-Range", "Of a part: which it is.")
                .answers(200, ANY_TYPE)
                .answers(206, ANY_TYPE);
    }

    static final Endpoint CONTENT =
            content(
                            RunSpecs.reading(
                                    Endpoint.get("downloadRunArtifact", ONE + "/content"),
                                    NO_ARTIFACT,
                                    EXPIRED,
                                    NOT_WHOLE,
                                    "range_not_satisfiable",
                                    "too_many_downloads"))
                    .summary("Download content of artifact")
                    .build();

    static final Endpoint SHARE =
            RunSpecs.writing(
                            Endpoint.post("shareRunArtifact", ONE + "/url"),
                            NO_ARTIFACT,
                            EXPIRED,
                            NOT_WHOLE,
                            "idempotency_conflict",
                            "idempotency_in_flight")
                    .summary("Make address under which anybody gets artifact for a while")
                    .request(ArtifactSpecs.SHARE)
                    .response(200, ArtifactSpecs.SHARED)
                    .build();

    static final Endpoint SHARED =
            content(
                            RunSpecs.reading(
                                    Endpoint.get("downloadSharedArtifact", ONE + "/shared"),
                                    NO_ARTIFACT,
                                    EXPIRED,
                                    NOT_WHOLE,
                                    "invalid_signature",
                                    "address_expired",
                                    "range_not_satisfiable",
                                    "too_many_downloads"))
                    .limit(RunLimits.SHARED)
                    .access(Access.PUBLIC)
                    .summary("Download content of artifact by signed address")
                    .requiredQuery(text("org_id").length(36, 36).doc("The account."))
                    .requiredQuery(
                            integer("until")
                                    .range(0, Integer.MAX_VALUE)
                                    .doc("When it ends, in seconds since 1970."))
                    .requiredQuery(text("signature").length(1, HEADER_MAX))
                    .build();

    public static final Catalogue CATALOGUE =
            new Catalogue(List.of(UPLOAD, LIST, GET, CONTENT, SHARE, SHARED));
}
