package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestPostgres;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/// An artifact that is several times as large as all memory of the server goes up and down. With
/// `-Dorchestrion.artifact.megabytes=2048` it is of two gigabytes.
class LargeArtifactTest {
    private static final int MEGABYTE = 1 << 20;
    private static final int MEGABYTES = Integer.getInteger("orchestrion.artifact.megabytes", 300);
    private static final int HEAP_MEGABYTES = 64;
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir Path data;

    /// Something that does not repeat, which nobody holds as a whole.
    private static final class Content extends InputStream {
        private final byte[] part = new byte[MEGABYTE];
        private final long size;
        private long at;

        Content(long size) {
            this.size = size;
            new Random(237).nextBytes(part);
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            if (at >= size) {
                return -1;
            }
            int from = (int) (at % MEGABYTE);
            int n = (int) Math.min(Math.min(length, MEGABYTE - from), size - at);
            System.arraycopy(part, from, into, offset, n);
            // Each megabyte is another one.
            if (from == 0) {
                into[offset] = (byte) (at / MEGABYTE);
            }
            at += n;
            return n;
        }
    }

    ///
    @Test
    @Timeout(1_800)
    void an_artifact_larger_than_all_memory_goes_up_and_down() throws Exception {
        long size = (long) MEGABYTES * MEGABYTE;
        try (TestDatabase database = TestPostgres.get().newDatabase();
                var server =
                        ServerProcess.startOn(
                                database.options(),
                                data,
                                List.of(
                                        "-Xmx" + HEAP_MEGABYTES + "m",
                                        "-XX:MaxDirectMemorySize=32m",
                                        "-XX:+ExitOnOutOfMemoryError"));
                var client = HttpClient.newHttpClient()) {
            Api api = server.api();
            Reply made = api.post("/api/v1/runs", "{\"name\":\"large\",\"task\":\"Carry it.\"}");
            assertThat(made.status()).as(made.text()).isEqualTo(201);
            String artifacts = "/api/v1/runs/" + made.text("/run_id") + "/artifacts";
            String key = Files.readString(data.resolve("local.key")).strip();

            var sent = new DigestInputStream(new Content(size), sha256());
            HttpResponse<String> up =
                    client.send(
                            HttpRequest.newBuilder(
                                            URI.create(
                                                    server.address() + artifacts + "?name=large"))
                                    .header("Authorization", "Bearer " + key)
                                    .POST(BodyPublishers.ofInputStream(() -> sent))
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(up.statusCode()).as(up.body()).isEqualTo(201);
            String sha256 = HexFormat.of().formatHex(sent.getMessageDigest().digest());
            Reply stored = api.get(artifacts);
            assertThat(stored.at("/items/0/size").asLong()).isEqualTo(size);
            assertThat(stored.text("/items/0/checksum")).isEqualTo(sha256);
            assertThat(bytes()).isGreaterThanOrEqualTo(size);

            HttpResponse<InputStream> down =
                    client.send(
                            HttpRequest.newBuilder(
                                            URI.create(
                                                    server.address()
                                                            + "/api/v1/artifacts/"
                                                            + stored.text("/items/0/id")
                                                            + "/content"))
                                    .header("Authorization", "Bearer " + key)
                                    .build(),
                            BodyHandlers.ofInputStream());
            assertThat(down.statusCode()).isEqualTo(200);
            try (var got = new DigestInputStream(down.body(), sha256())) {
                assertThat(got.transferTo(OutputStream.nullOutputStream())).isEqualTo(size);
                assertThat(HexFormat.of().formatHex(got.getMessageDigest().digest()))
                        .isEqualTo(sha256);
            }

            long kept = bytes();
            cutOff(server, artifacts, key);
            Until.isTrue(
                    "nothing is left of what was cut off",
                    SOON,
                    () ->
                            bytes() == kept
                                    && api.get(artifacts + "?state=uploading")
                                            .at("/items")
                                            .isEmpty());
            assertThat(server.alive()).isTrue();
        }
    }

    /// Half of what was promised.
    private static void cutOff(ServerProcess server, String artifacts, String key)
            throws IOException {
        URI at = URI.create(server.address());
        try (var socket = new Socket(at.getHost(), at.getPort())) {
            var out = socket.getOutputStream();
            out.write(
                    "POST %s?name=half HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n"
                            .formatted(artifacts, key, 40 * MEGABYTE)
                            .getBytes(StandardCharsets.US_ASCII));
            new Content(20 * MEGABYTE).transferTo(out);
        }
    }

    private static MessageDigest sha256() throws NoSuchAlgorithmException {
        return MessageDigest.getInstance("SHA-256");
    }

    /// How much lies in the store.
    private long bytes() {
        try (Stream<Path> all = Files.walk(data.resolve("artifacts"))) {
            return all.filter(Files::isRegularFile).mapToLong(each -> each.toFile().length()).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
