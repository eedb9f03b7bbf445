package io.orchestrion.server.runs;

import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.json.TextField;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.output.Outputs;
import io.orchestrion.runs.output.Piece;
import io.orchestrion.server.door.EventFollow;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;

import java.util.List;

/// The endpoints for what steps write while they are under way.
public final class OutputEndpoints {
    private OutputEndpoints() {}

    static final String NOW = "now";
    static final int STREAM_SECONDS_MAX = 3600;

    /// A byte of a piece may take six in JSON.
    private static final int BODY_MAX = 6 * Outputs.PIECE_BYTES_MAX + 4096;

    private static final ObjectSpec APPEND =
            ObjectSpec.named("RunOutputAppend")
                    .required(
                            RunSpecs.id("attempt_id", PublicId.ATTEMPT)
                                    .doc("The id of what was claimed at /v1/tasks."))
                    .optional(
                            text("lease_token")
                                    .length(36, 36)
                                    .example("01970000-0000-7000-8000-000000000000")
                                    .doc("Of the lease. Checked when it is sent."))
                    .optional(oneOf("channel", Piece.CHANNELS).orElse("stdout"))
                    .required(
                            text("text")
                                    .length(1, Outputs.PIECE_BYTES_MAX)
                                    .doc(
                                            "At most "
                                                    + Outputs.PIECE_BYTES_MAX
                                                    + " bytes of UTF-8."));

    private static final ObjectSpec APPENDED =
            RunSpecs.answer(
                    ObjectSpec.answer("RunOutputAppended")
                            .required(
                                    integer("seq")
                                            .range(1, Long.MAX_VALUE)
                                            .doc("Its number in the output of the run."))
                            .required(
                                    integer("bytes_left")
                                            .range(0, Long.MAX_VALUE)
                                            .doc("That the step may still write.")));

    static final Endpoint WRITE =
            RunSpecs.changing(
                            Endpoint.post(
                                    "appendRunOutput", RunsDoor.ROOT + "/steps/{step_id}/output"),
                            "step_not_found",
                            "lease_lost",
                            "output_limit")
                    .limit(RunLimits.OUTPUT)
                    .scopes("worker", "admin")
                    .summary("Add to the output of a step that the caller has claimed")
                    .request(APPEND)
                    .maxBodyBytes(BODY_MAX)
                    .response(200, APPENDED)
                    .build();

    static final Endpoint STREAM =
            RunSpecs.reading(
                            Endpoint.get("streamRunOutput", RunReadEndpoints.ONE + "/stream"),
                            RunReadEndpoints.NO_RUN)
                    .summary("Follow output of running steps (server-sent events)")
                    .query(
                            place("after")
                                    .doc(
                                            "The id of a piece; now for only what comes; from the"
                                                    + " first by default."),
                            RunSpecs.id("step_id", PublicId.STEP).doc("Only of that step."),
                            integer("seconds")
                                    .range(0, STREAM_SECONDS_MAX)
                                    .orElse(STREAM_SECONDS_MAX)
                                    .doc(
                                            "When the stream ends by itself; 0 for what is there"
                                                    + " and no more."))
                    .requestHeader(
                            place(EventFollow.LAST_ID)
                                    .doc("The last id received; goes before after."))
                    .answers(200, EventFollow.MEDIA_TYPE)
                    .build();

    private static TextField place(String name) {
        return text(name).length(1, 20);
    }

    public static final Catalogue CATALOGUE = new Catalogue(List.of(WRITE, STREAM));
}
