package io.orchestrion.server.runs.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.runs.artifact.ArtifactOptions;
import io.orchestrion.runs.engine.Created;
import io.orchestrion.runs.engine.NewRun;
import io.orchestrion.runs.engine.Request;
import io.orchestrion.runs.engine.RunsOptions;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.Asked;
import io.orchestrion.runs.run.PlannerMode;
import io.orchestrion.runs.run.Priority;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.TestStores;
import io.orchestrion.server.doors.ServerOptions;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// A server with a store of its own, runs to put artifacts into, and uploads that stand still.
final class ArtifactFixture implements AutoCloseable {
    static final Duration SOON = Duration.ofSeconds(60);
    private static final Requester PERSON = Requester.ENGINE;

    final TestServer server;
    final Path folder;

    ArtifactFixture(Path folder, ArtifactOptions options) {
        this(folder, options, each -> each);
    }

    ArtifactFixture(Path folder, ArtifactOptions options, UnaryOperator<ServerOptions> more) {
        this.folder = folder;
        server =
                new TestServer(
                        kernel -> kernel,
                        each ->
                                more.apply(
                                        each.withDoor(
                                                ArtifactSettings.in(
                                                        TestStores.in(folder), options))));
    }

    private static Request request(TaskApi of, UUID run) {
        return new Request(UUID.fromString(of.accountId()), run, PERSON, null);
    }

    /// A run that nobody has started.
    UUID run(TaskApi of) {
        var asked =
                new NewRun(
                        UUID.fromString(of.accountId()),
                        new Asked(
                                "a run",
                                "do it",
                                null,
                                null,
                                PlannerMode.CLAIM,
                                Priority.NORMAL,
                                FailureMode.FAIL_FAST,
                                null,
                                PERSON.word()),
                        RunsOptions.USUAL_BOUNDS,
                        PERSON);
        Created made = server.runs().inOne(tx -> server.runs().create(tx, asked));
        assertThat(made).isInstanceOf(Created.Made.class);
        return ((Created.Made) made).run().id();
    }

    void cancel(TaskApi of, UUID run) {
        server.runs().inOne(tx -> server.runs().cancel(tx, request(of, run)));
    }

    void delete(TaskApi of, UUID run) {
        server.runs().inOne(tx -> server.runs().delete(tx, request(of, run)));
    }

    static String ofRun(UUID run) {
        return "/api/v1/runs/" + PublicId.RUN.of(run) + "/artifacts";
    }

    static Api plain(TaskApi of) {
        return of.api().with("Content-Type", "text/plain");
    }

    static Reply upload(TaskApi of, UUID run, String name, String content) {
        return plain(of).post(ofRun(run) + "?name=" + name, content);
    }

    /// The path of one that is stored.
    static String stored(TaskApi of, UUID run, String name, String content) {
        Reply reply = upload(of, run, name, content);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return "/api/v1/artifacts/" + reply.text("/id");
    }

    static void refused(Reply reply, int status, String code) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.error()).isEqualTo(code);
    }

    int count(TaskApi of, UUID run, String state) {
        return of.api().get(ofRun(run) + "?state=" + state).at("/items").size();
    }

    /// What the store holds, finished or not, without the folders that it has made.
    long files() {
        try (Stream<Path> all = Files.walk(folder.resolve("artifacts"))) {
            return all.filter(Files::isRegularFile).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int sweep() {
        return server.kernel().kernel().sweepOnce("artifact-sweeper");
    }

    void tidy(TaskApi of, UUID run) {
        Until.isTrue("nothing is left of it", SOON, () -> count(of, run, "uploading") == 0);
        Until.isTrue("no file is left of it", SOON, () -> files() == 0);
    }

    /// An upload whose client does with the connection what it likes.
    Halfway halfway(TaskApi of, UUID run, String name, int length, String sent) throws IOException {
        return new Halfway(of, run, name, "Content-Length: " + length, sent);
    }

    Halfway chunked(TaskApi of, UUID run, String name, String sent) throws IOException {
        return new Halfway(of, run, name, "Transfer-Encoding: chunked", sent);
    }

    final class Halfway implements AutoCloseable {
        private final Socket socket;

        private Halfway(TaskApi of, UUID run, String name, String framing, String sent)
                throws IOException {
            socket = new Socket("127.0.0.1", server.port());
            socket.setSoTimeout((int) SOON.toMillis());
            send(
                    "POST %s?name=%s HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer %s\r\n%s\r\n\r\n%s"
                            .formatted(ofRun(run), name, of.key(), framing, sent));
        }

        void send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
        }

        /// All that the server says until it closes; empty where it says nothing.
        String said() {
            try {
                return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                return "";
            }
        }

        String statusLine() throws IOException {
            var line = new StringBuilder();
            for (int c = socket.getInputStream().read(); c >= 0 && c != '\r'; ) {
                line.append((char) c);
                c = socket.getInputStream().read();
            }
            return line.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
