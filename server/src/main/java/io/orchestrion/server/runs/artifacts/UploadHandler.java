package io.orchestrion.server.runs.artifacts;

import io.orchestrion.kernel.json.Values;
import io.orchestrion.runs.artifact.Artifact;
import io.orchestrion.runs.artifact.ArtifactName;
import io.orchestrion.runs.artifact.ArtifactState;
import io.orchestrion.runs.artifact.Artifacts;
import io.orchestrion.runs.artifact.Transfers;
import io.orchestrion.runs.artifact.Upload;
import io.orchestrion.runs.artifact.UploadEnd;
import io.orchestrion.runs.artifact.UploadOutcome;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;
import io.orchestrion.server.contract.Pages;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.runs.RunAction;
import io.orchestrion.server.runs.RunAnswers;
import io.orchestrion.server.runs.RunError;
import io.orchestrion.server.runs.RunOnce;
import io.orchestrion.server.runs.RunPaths;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

/// Takes artifacts in. The body goes to the store part by part while it arrives. An upload holds
/// none of the places for calls in flight, as it may take hours; there is a bound of its own for
/// uploads, for each account and for all.
final class UploadHandler {
    private static final String DEFAULT_TYPE = "application/octet-stream";
    private static final int TYPE_MAX = 200;
    private static final String TOKEN = "[A-Za-z0-9!#$&^_.+-]+";

    /// Without escapes, which not everybody reads alike.
    private static final String QUOTED = "\"[ !#-\\[\\]-~]*\"";

    private static final Pattern TYPE =
            Pattern.compile(
                    TOKEN + "/" + TOKEN + "( *; *" + TOKEN + "=(" + TOKEN + "|" + QUOTED + "))*");
    private static final String FORM = "multipart/form-data";

    private final Artifacts artifacts;
    private final RunOnce once;

    UploadHandler(Artifacts artifacts, RunOnce once) {
        this.artifacts = artifacts;
        this.once = once;
    }

    Answer upload(Call call) throws Exception {
        Values query = call.queryValues();
        String name = ArtifactName.normal(query.text("name"));
        String type = call.header("Content-Type").orElse(DEFAULT_TYPE).strip();
        String fault = fault(call, name, type);
        if (fault != null) {
            return RunAnswers.badRequest(call, fault);
        }
        UUID run = RunPaths.run(call);
        if (run == null) {
            return RunAnswers.error(call, RunError.RUN_NOT_FOUND);
        }
        String sha256 = query.textOrNull("sha256");
        var asked =
                new Upload(
                        new Artifact.Of(
                                run, name, type, RunPaths.asked(call, "step_id", PublicId.STEP)),
                        call.bodyLength(),
                        sha256 == null ? null : sha256.toLowerCase(Locale.ROOT));
        byte[] digest = digest(asked);
        Answer earlier = once.earlier(call, digest);
        if (earlier != null) {
            return earlier;
        }
        Transfers.Place place = artifacts.uploading().enter(Callers.account(call));
        if (place == null) {
            return artifacts.uploading().isFull()
                    ? RunAnswers.error(call, RunError.OVERLOADED)
                    : RunAnswers.error(call, RunError.TOO_MANY_UPLOADS);
        }
        try (place) {
            InputStream content = call.bodyStream(artifacts.bufferBytes());
            return call.waiting(() -> stored(call, asked, digest, content), () -> {});
        }
    }

    /// What is wrong with what is said of the content, as a sentence; null when nothing is.
    private static @Nullable String fault(Call call, String name, String type) {
        String ofName = ArtifactName.fault(name);
        if (ofName != null) {
            return ofName;
        }
        if (call.headers("Content-Type").size() > 1
                || type.length() > TYPE_MAX
                || !TYPE.matcher(type).matches()) {
            return "The Content-Type must be one media type of at most "
                    + TYPE_MAX
                    + " characters, such as text/plain.";
        }
        return type.regionMatches(true, 0, FORM, 0, FORM.length())
                ? "The body must be the content itself and no form, as curl --data-binary @file"
                        + " sends it."
                : null;
    }

    /// Knows the request again without its body. With its SHA-256, that is as good as with the
    /// body.
    private static byte[] digest(Upload asked) {
        String text =
                String.join(
                        "\n",
                        asked.of().name(),
                        asked.of().contentType(),
                        String.valueOf(asked.of().step()),
                        String.valueOf(asked.length()),
                        String.valueOf(asked.sha256()));
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    private Answer stored(Call call, Upload asked, byte[] digest, InputStream content) {
        var end = new Commit(call, digest);
        try {
            UploadOutcome outcome = artifacts.upload(Callers.account(call), asked, content, end);
            Answer answer = end.answer;
            return answer == null ? answer(call, outcome) : answer;
        } catch (IOException e) {
            return StoreFailure.answer(call, e);
        }
    }

    /// The end of one upload, which is committed together with its answer.
    private final class Commit implements UploadEnd {
        private final Call call;
        private final byte[] digest;
        private @Nullable Answer answer;
        private @Nullable Answer made;
        private @Nullable UploadOutcome outcome;

        Commit(Call call, byte[] digest) {
            this.call = call;
            this.digest = digest;
        }

        @Override
        public UploadOutcome commit(Work work) {
            Answer said =
                    once.once(
                            call,
                            digest,
                            tx -> {
                                UploadOutcome now = work.in(tx);
                                outcome = now;
                                made = answer(call, now);
                                return made;
                            });
            answer = said;
            // Any other answer is that of a request with the same key that ended first.
            return said == made ? Objects.requireNonNull(outcome) : new UploadOutcome.Repeated();
        }
    }

    private static Answer answer(Call call, UploadOutcome outcome) {
        return switch (outcome) {
            case UploadOutcome.Stored(var artifact) ->
                    Pages.json(
                            201,
                            out -> ArtifactJson.write(out, artifact),
                            ArtifactJson.guidance(artifact));
            case UploadOutcome.NoRun() -> RunAnswers.error(call, RunError.RUN_NOT_FOUND);
            case UploadOutcome.NoStep() -> RunAnswers.error(call, RunError.STEP_NOT_FOUND);
            case UploadOutcome.RunOver(var status, boolean deleted) ->
                    deleted
                            ? RunAnswers.error(call, RunError.RUN_NOT_FOUND)
                            : RunAnswers.error(
                                    call,
                                    RunError.INVALID_TRANSITION,
                                    "The run is "
                                            + status.word()
                                            + " and takes no artifacts any more; nothing was"
                                            + " kept.");
            case UploadOutcome.NameTaken(var by) -> taken(call, by);
            case UploadOutcome.TooLarge(long limit, long used) ->
                    RunAnswers.error(
                            call,
                            RunError.ARTIFACTS_TOO_LARGE,
                            "The artifacts of a run may have "
                                    + limit
                                    + " bytes together, and the others have "
                                    + used
                                    + "; nothing was kept.");
            case UploadOutcome.TooManyArtifacts(int limit) ->
                    RunAnswers.error(
                            call,
                            RunError.TOO_MANY_ARTIFACTS,
                            "A run may have " + limit + " artifacts, and this one has them.");
            case UploadOutcome.TooManyUploads(int limit) ->
                    RunAnswers.error(
                            call,
                            RunError.TOO_MANY_UPLOADS,
                            limit + " uploads of the run are under way, and more may not be.");
            case UploadOutcome.OtherContent(var sha256) ->
                    RunAnswers.error(
                            call,
                            RunError.CHECKSUM_MISMATCH,
                            "What arrived has the SHA-256 "
                                    + sha256
                                    + " and not the one that was said; nothing of it is kept.");
            case UploadOutcome.Lost() ->
                    RunAnswers.error(
                            call,
                            RunError.OVERLOADED,
                            "The upload was taken for dead while it went on; nothing was kept.");
            case UploadOutcome.Repeated() ->
                    throw new IllegalStateException("it is answered as the other was");
        };
    }

    /// Whoever repeats an upload while the first goes on has to wait for its end.
    private static Answer taken(Call call, Artifact by) {
        if (by.state() == ArtifactState.UPLOADING && call.header(Once.KEY_HEADER).isPresent()) {
            return RunAnswers.error(call, RunError.IDEMPOTENCY_IN_FLIGHT);
        }
        return RunAnswers.error(
                call,
                RunError.ARTIFACT_EXISTS,
                by.state() == ArtifactState.UPLOADING
                        ? "An artifact of that name is being uploaded to the run."
                        : RunError.ARTIFACT_EXISTS.meaning(),
                AgentContract.of(
                        false,
                        NextAction.call(
                                        RunAction.DOWNLOAD_ARTIFACT,
                                        "GET",
                                        ArtifactJson.path(by.id()))
                                .best(),
                        NextAction.act(RunAction.FIX_REQUEST)),
                out -> out.text("artifact_id", PublicId.ARTIFACT.of(by.id())));
    }
}
