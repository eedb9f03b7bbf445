package io.orchestrion.server.runs.artifacts;

import io.orchestrion.kernel.json.Values;
import io.orchestrion.runs.artifact.Artifact;
import io.orchestrion.runs.artifact.ArtifactState;
import io.orchestrion.runs.artifact.Artifacts;
import io.orchestrion.runs.artifact.Artifacts.Got;
import io.orchestrion.runs.artifact.Transfers;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.objects.ObjectStore;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.AnswerStream;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.runs.RunAnswers;
import io.orchestrion.server.runs.RunError;
import io.orchestrion.server.runs.RunPaths;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.UUID;

/// Hands out the content of artifacts, to callers with a key and to those with a signed address.
final class DownloadHandler {
    private static final int PART_BYTES = 64 * 1024;
    private static final long MILLIS = 1000;

    private final Artifacts artifacts;

    DownloadHandler(Artifacts artifacts) {
        this.artifacts = artifacts;
    }

    Answer content(Call call) throws IOException {
        UUID id = RunPaths.id(call, "artifact_id", PublicId.ARTIFACT);
        return id == null
                ? RunAnswers.error(call, RunError.ARTIFACT_NOT_FOUND)
                : handedOut(call, Callers.account(call), id);
    }

    /// The signature is looked at before anything else is: without a good one, nobody learns
    /// whether there is such an artifact.
    Answer shared(Call call) throws IOException {
        Values query = call.queryValues();
        UUID account = Callers.uuidOrNull(query.text("org_id"));
        UUID id = RunPaths.id(call, "artifact_id", PublicId.ARTIFACT);
        long until = query.integer("until");
        if (account == null
                || id == null
                || !artifacts.addresses().isSigned(account, id, until, query.text("signature"))) {
            return RunAnswers.error(call, RunError.INVALID_SIGNATURE);
        }
        return until * MILLIS <= artifacts.nowMillis()
                ? RunAnswers.error(call, RunError.ADDRESS_EXPIRED)
                : handedOut(call, account, id);
    }

    private Answer handedOut(Call call, UUID account, UUID id) throws IOException {
        Got got = artifacts.get(account, id);
        Answer refusal = refusal(call, got);
        if (refusal != null || !(got instanceof Got.Here(var artifact, long _))) {
            return refusal == null ? RunAnswers.error(call, RunError.ARTIFACT_NOT_FOUND) : refusal;
        }
        ByteRange range = range(call, artifact);
        if (range != null && range.length() == 0) {
            return RunAnswers.error(call, RunError.RANGE_NOT_SATISFIABLE)
                    .with("Content-Range", "bytes */" + artifact.size());
        }
        ByteRange part = range == null ? new ByteRange(0, artifact.size()) : range;
        // Nothing is opened for a caller who asks for the headers alone.
        boolean whole = !call.method().equals("HEAD");
        if (whole) {
            Transfers.Place place = artifacts.downloading().enter(account);
            if (place == null) {
                return artifacts.downloading().isFull()
                        ? RunAnswers.error(call, RunError.OVERLOADED)
                        : RunAnswers.error(call, RunError.TOO_MANY_DOWNLOADS);
            }
            call.closeAfterwards(place);
        }
        InputStream content;
        try {
            content =
                    whole
                            ? artifacts.open(artifact, part.from(), part.length())
                            : InputStream.nullInputStream();
        } catch (ObjectStore.NoSuchObject e) {
            // It has expired since it was looked up, or else the store has lost it.
            return artifacts.get(account, id) instanceof Got.Here
                    ? StoreFailure.answer(call, e)
                    : RunAnswers.error(call, RunError.ARTIFACT_EXPIRED);
        } catch (IOException e) {
            return StoreFailure.answer(call, e);
        }
        call.closeAfterwards(content);
        return answer(artifact, range, part, content);
    }

    /// Why there is no content; null when there is.
    static @Nullable Answer refusal(Call call, Got got) {
        return switch (got) {
            case Got.Missing() -> RunAnswers.error(call, RunError.ARTIFACT_NOT_FOUND);
            case Got.Expired(var artifact) ->
                    RunAnswers.error(
                            call,
                            artifact.discarded()
                                    ? RunError.ARTIFACT_NOT_FOUND
                                    : RunError.ARTIFACT_EXPIRED);
            case Got.Here(var artifact, long _) ->
                    artifact.state() == ArtifactState.READY
                            ? null
                            : RunAnswers.error(
                                    call,
                                    RunError.INVALID_TRANSITION,
                                    "The artifact is still being uploaded.");
        };
    }

    /// Null for the whole.
    private static @Nullable ByteRange range(Call call, Artifact artifact) {
        String asked = call.header("Range").orElse(null);
        String only = call.header("If-Range").orElse(null);
        return asked == null
                        || call.headers("Range").size() > 1
                        || (only != null && !only.equals(etag(artifact)))
                ? null
                : ByteRange.of(asked, artifact.size());
    }

    private static String etag(Artifact artifact) {
        return "\"" + artifact.sha256() + "\"";
    }

    private static Answer answer(
            Artifact artifact, @Nullable ByteRange range, ByteRange part, InputStream content) {
        Answer answer =
                Answer.stream(
                                range == null ? 200 : 206,
                                artifact.of().contentType(),
                                out -> copy(content, part.length(), out))
                        .with("Content-Length", String.valueOf(part.length()))
                        .with("ETag", etag(artifact))
                        .with("Accept-Ranges", "bytes")
                        .with("Content-Disposition", Attachment.disposition(artifact.of().name()));
        if (range != null) {
            answer = answer.with("Content-Range", range.contentRange(artifact.size()));
        }
        for (Map.Entry<String, String> each : Attachment.SAFE.entrySet()) {
            answer = answer.with(each.getKey(), each.getValue());
        }
        return answer;
    }

    private static void copy(InputStream content, long length, AnswerStream out)
            throws IOException {
        byte[] part = new byte[(int) Math.clamp(length, 1, PART_BYTES)];
        long left = length;
        while (left > 0) {
            int n = read(content, part, (int) Math.min(part.length, left));
            out.write(part, 0, n);
            left -= n;
        }
    }

    /// What fails here is the store and not the client.
    private static int read(InputStream content, byte[] into, int most) {
        try {
            int n = content.read(into, 0, most);
            if (n <= 0) {
                throw new IOException("the content ended early");
            }
            return n;
        } catch (IOException e) {
            throw new UncheckedIOException("the store of artifacts failed", e);
        }
    }
}
