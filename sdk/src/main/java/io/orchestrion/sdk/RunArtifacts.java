package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.UUID;

/// Files that belong to runs. From [Runs#artifacts].
///
/// ```java
/// RunArtifacts artifacts = client.runs().artifacts();
/// RunArtifact made = artifacts.upload("run_7", NewArtifact.named("a.csv"), Path.of("a.csv"));
/// artifacts.download(made.id(), Path.of("copy.csv"));
/// ```
///
/// Content is never held in memory as a whole, and a transfer may take as long as it needs: it
/// fails when nothing moves for as long as other requests may take
/// ([OrchestrionClient.Builder#timeout]).
public final class RunArtifacts {
    private static final String ARTIFACTS = Runs.ROOT + "/artifacts";

    private final Transport transport;

    RunArtifacts(Transport transport) {
        this.transport = transport;
    }

    /// Uploads a file. When an answer is lost, it is sent again under the same key.
    public RunArtifact upload(String runId, NewArtifact artifact, Path file) {
        return upload(runId, artifact, Content.of(artifact.contentType(), file));
    }

    /// Uploads what a stream gives, to its end. It is sent once, as a stream cannot be read again.
    /// The caller closes it.
    public RunArtifact upload(String runId, NewArtifact artifact, InputStream content) {
        return upload(runId, artifact, Content.of(artifact.contentType(), content));
    }

    private RunArtifact upload(String runId, NewArtifact artifact, Content content) {
        String path = ofRun(runId) + artifact.parameters();
        Call call =
                Call.post(path, null)
                        .withKey(UUID.randomUUID().toString())
                        .repeated(content.repeatable());
        return transport.upload(call, content, RunWire::artifact);
    }

    /// A page of the artifacts of a run, newest first.
    ///
    /// @param state such as `ready`; null for all but those whose upload never came to an end
    /// @param limit 1 to 100; null for the server's default
    /// @param cursor the cursor of the page before; null for the first page
    public Page<RunArtifact> list(
            String runId,
            @Nullable String state,
            @Nullable Integer limit,
            @Nullable String cursor) {
        var asked = Parameters.page(limit, cursor).with("state", state);
        return transport.send(
                Call.get(ofRun(runId) + asked), OrchestrationWire.page(RunWire::artifact));
    }

    /// What is known of an artifact, also when its bytes are gone.
    public RunArtifact get(String id) {
        return transport.send(Call.get(path(id, "")), RunWire::artifact);
    }

    /// The bytes of an artifact, as they come. The caller closes the stream.
    public InputStream open(String id) {
        return transport.download(Call.get(path(id, "/content"))).body();
    }

    /// Writes the bytes of an artifact to a file. The file appears when it is whole: until then
    /// its name ends with `.part`.
    ///
    /// @throws IOException if the file cannot be written, the transfer broke, or the bytes are not
    ///     those that were uploaded
    public void download(String id, Path to) throws IOException {
        Path part = to.resolveSibling(to.getFileName() + ".part");
        Transport.Download download = transport.download(Call.get(path(id, "/content")));
        try {
            MessageDigest sha256 = sha256();
            try (InputStream body = download.body();
                    OutputStream file =
                            new DigestOutputStream(Files.newOutputStream(part), sha256)) {
                body.transferTo(file);
            }
            String tag = download.tag().replace("\"", "");
            String found = HexFormat.of().formatHex(sha256.digest());
            if (tag.matches("[0-9a-f]{64}") && !tag.equals(found)) {
                throw new IOException("what arrived is not what was uploaded: " + found);
            }
            Files.move(part, to, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /// Makes an address under which anybody gets the artifact for a while, without a key.
    ///
    /// @param howLong one minute to seven days
    public SharedAddress share(String id, Duration howLong) {
        var body = Json.object().put("expires_in_seconds", howLong.toSeconds());
        return transport.send(Runs.keyed(Call.post(path(id, "/url"), body)), RunWire::address);
    }

    private static String ofRun(String runId) {
        return Runs.ROOT + "/runs/" + Parameters.encoded(runId) + "/artifacts";
    }

    private static String path(String id, String rest) {
        return ARTIFACTS + "/" + Parameters.encoded(id) + rest;
    }
}
