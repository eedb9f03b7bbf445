package io.orchestrion.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

@Timeout(180)
class StreamingTest {
    private static final Endpoint STREAM =
            Endpoint.get("stream", "/v1/stream").door("things").build();
    private static final Endpoint FLOOD = Endpoint.get("flood", "/v1/flood").door("things").build();
    private static final Endpoint FAIL = Endpoint.get("fail", "/v1/fail").door("things").build();
    private static final Endpoint POLL = Endpoint.get("poll", "/v1/poll").door("things").build();
    private static final Endpoint PING = Endpoint.get("ping", "/v1/ping").door("things").build();
    private static final Endpoint LINES =
            Endpoint.post("lines", "/v1/lines").door("things").build();
    private static final Catalogue CATALOGUE =
            new Catalogue(List.of(STREAM, FLOOD, FAIL, POLL, PING, LINES));

    private final BlockingQueue<AnswerStream> streams = new LinkedBlockingQueue<>();
    private final BlockingQueue<CountDownLatch> polls = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

    private HttpServer start(HttpOptions options) {
        var door = new Fixture.PlainDoor("things", "/v1/");
        return HttpServer.start(
                options,
                Router.of(CATALOGUE)
                        .door(door)
                        .openToAll(door.name())
                        .handle(
                                STREAM,
                                call -> Answer.stream(200, "text/event-stream", this::numbered))
                        .handle(FLOOD, call -> Answer.stream(200, "text/plain", this::flood))
                        .handle(
                                FAIL,
                                call ->
                                        Answer.stream(
                                                200,
                                                "text/plain",
                                                out -> {
                                                    out.write(bytes("part"));
                                                    throw new IllegalStateException("broken");
                                                }))
                        .handle(POLL, this::poll)
                        .handle(PING, call -> Answer.empty(204))
                        .handle(LINES, StreamingTest::lines)
                        .build());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// One piece at once and one more for every time it is woken.
    private void numbered(AnswerStream out) throws Exception {
        streams.add(out);
        int n = 0;
        while (!out.ending()) {
            out.write(bytes("piece " + n++ + "\n"));
            out.await(Duration.ofMinutes(1));
        }
        ends.add("stream");
    }

    private void flood(AnswerStream out) throws Exception {
        byte[] much = new byte[1024 * 1024];
        try {
            while (true) {
                out.write(much);
            }
        } finally {
            ends.add("flood");
        }
    }

    private Answer poll(Call call) throws Exception {
        var release = new CountDownLatch(1);
        boolean done =
                call.waiting(
                        () -> {
                            polls.add(release);
                            return release.await(1, TimeUnit.MINUTES);
                        },
                        () -> ends.add("woken"));
        return Answer.of(200, "text/plain", bytes(String.valueOf(done)));
    }

    private static Answer lines(Call call) {
        Lines lines = call.lines(10, 100);
        var text = new StringBuilder();
        for (byte[] line = lines.next(); line != null; line = lines.next()) {
            text.append('[').append(new String(line, StandardCharsets.UTF_8)).append(']');
        }
        return Answer.of(200, "text/plain", bytes(text.toString()));
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n";
    }

    /// There is a place; the call before may still be on its way out of the only one.
    private static void pings(HttpServer server) {
        Until.isTrue(
                "there is a place",
                Duration.ofSeconds(20),
                () -> status(server, "/v1/ping") == 204);
    }

    private static int status(HttpServer server, String path) {
        try (var wire = new Wire(server)) {
            return wire.send(get(path)).reply().status();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void pieces_arrive_as_they_are_written_and_hold_no_place_in_flight() throws Exception {
        try (HttpServer server = start(Fixture.options().withAdmission(Fixture.places(1, 1)));
                var wire = new Wire(server)) {
            Wire.Reply head = wire.send(get("/v1/stream")).reply();
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.header("Content-Type")).isEqualTo("text/event-stream");
            assertThat(head.header("Transfer-Encoding")).isEqualTo("chunked");
            assertThat(wire.chunk()).isEqualTo("piece 0\n");
            assertThat(server.inFlight()).isZero();
            pings(server);
            streams.take().wake();
            assertThat(wire.chunk()).isEqualTo("piece 1\n");
        }
    }

    @Test
    void more_streams_than_the_bound_are_refused_until_one_ends() throws Exception {
        HttpOptions options = Fixture.options().withStreams(1, 1);
        try (HttpServer server = start(options)) {
            try (var first = new Wire(server);
                    var second = new Wire(server)) {
                assertThat(first.send(get("/v1/stream")).reply().status()).isEqualTo(200);
                Wire.Reply refused = second.send(get("/v1/stream")).reply();
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.header("Retry-After")).isEqualTo("1");
                assertThat(refused.body()).contains("overloaded");
            }
            // The client is gone, which the next pieces find out.
            AnswerStream abandoned = streams.take();
            Until.isTrue(
                    "there is room again",
                    Duration.ofSeconds(20),
                    () -> {
                        abandoned.wake();
                        return status(server, "/v1/stream") == 200;
                    });
        }
    }

    @Test
    void stopping_ends_streams_at_once_and_whole() throws Exception {
        HttpServer server = start(Fixture.options());
        try (var wire = new Wire(server)) {
            wire.send(get("/v1/stream")).reply();
            assertThat(wire.chunk()).isEqualTo("piece 0\n");
            assertThat(server.stop(Duration.ofSeconds(20))).isTrue();
            assertThat(ends.poll(60, TimeUnit.SECONDS)).isEqualTo("stream");
            // The empty chunk says that nothing is missing.
            assertThat(wire.chunk()).isEmpty();
            assertThat(wire.closed()).isTrue();
        }
    }

    @Test
    void a_client_that_does_not_read_loses_its_stream() throws Exception {
        var quick = Duration.ofMillis(1_500);
        HttpOptions options =
                Fixture.options().withTimes(quick, quick, quick, Duration.ofSeconds(30));
        try (HttpServer server = start(options);
                var deaf = new Wire(server);
                var patient = new Wire(server)) {
            deaf.send(get("/v1/flood"));
            assertThat(ends.poll(60, TimeUnit.SECONDS)).isEqualTo("flood");
            // The time is for each piece: this stream has lived through many of them by now.
            patient.send(get("/v1/stream")).reply();
            AnswerStream stream = streams.take();
            long until = System.nanoTime() + 2 * quick.toNanos();
            for (int n = 0; System.nanoTime() < until; n++) {
                assertThat(patient.chunk()).isEqualTo("piece " + n + "\n");
                stream.wake();
            }
        }
    }

    @Test
    void a_failing_stream_lacks_its_end() throws Exception {
        try (HttpServer server = start(Fixture.options());
                var wire = new Wire(server)) {
            wire.send(get("/v1/fail")).reply();
            assertThat(wire.chunk()).isEqualTo("part");
            assertThat(wire.closed()).isTrue();
        }
    }

    @Test
    void a_call_that_waits_holds_no_place_and_those_that_wait_are_bounded() throws Exception {
        try (HttpServer server =
                        start(
                                Fixture.options()
                                        .withAdmission(Fixture.places(1, 1))
                                        .withStreams(1, 1));
                var first = new Wire(server);
                var second = new Wire(server)) {
            first.send(get("/v1/poll"));
            CountDownLatch release = polls.take();
            assertThat(server.inFlight()).isZero();
            pings(server);
            Wire.Reply refused = second.send(get("/v1/poll")).reply();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            release.countDown();
            assertThat(first.reply().body()).isEqualTo("true");
            pings(server);
        }
    }

    @Test
    void a_call_that_waits_is_told_when_the_server_begins_to_stop() throws Exception {
        HttpServer server = start(Fixture.options());
        try (var wire = new Wire(server)) {
            wire.send(get("/v1/poll"));
            CountDownLatch release = polls.take();
            assertThat(server.inFlight()).isZero();
            CompletableFuture<Boolean> stopped =
                    CompletableFuture.supplyAsync(() -> server.stop(Duration.ofSeconds(20)));
            assertThat(ends.poll(60, TimeUnit.SECONDS)).isEqualTo("woken");
            // Without a place, but not forgotten: it is waited for.
            assertThat(stopped).isNotDone();
            release.countDown();
            assertThat(wire.reply().body()).isEqualTo("true");
            assertThat(stopped.get(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static String post(String body) {
        return "POST /v1/lines HTTP/1.1\r\nHost: h\r\nContent-Length: "
                + body.length()
                + "\r\n\r\n"
                + body;
    }

    @Test
    void a_body_is_read_line_by_line_whatever_its_length() throws Exception {
        try (HttpServer server = start(Fixture.options());
                var wire = new Wire(server)) {
            assertThat(wire.send(post("a\nbc\r\n\n1234567890\r\nlast")).reply().body())
                    .isEqualTo("[a][bc][][1234567890][last]");
            assertThat(wire.send(post("a\n")).reply().body()).isEqualTo("[a]");
            assertThat(wire.send(post("")).reply().body()).isEmpty();
            String many = "123456789\n".repeat(50_000);
            assertThat(wire.send(post(many)).reply().body()).hasSize(50_000 * 11);
            wire.send(
                    "POST /v1/lines HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "3\r\na\nb\r\n2\r\nc\n\r\n0\r\n\r\n");
            assertThat(wire.reply().body()).isEqualTo("[a][bc]");
        }
    }

    @Test
    void a_line_beyond_its_bound_is_refused() throws Exception {
        try (HttpServer server = start(Fixture.options())) {
            for (String body :
                    new String[] {"a\n12345678901\n", "12345678901", "1".repeat(50_000) + "\n"}) {
                try (var wire = new Wire(server)) {
                    Wire.Reply refused = wire.send(post(body)).reply();
                    assertThat(refused.status()).isEqualTo(413);
                    assertThat(refused.body()).contains("A line of the body must be at most 10");
                }
            }
        }
    }

    @Test
    void the_body_time_is_for_each_line() throws Exception {
        // Long enough for one line of the steady client on a busy machine.
        var quick = Duration.ofMillis(1_200);
        HttpOptions options = Fixture.options().withTimes(quick, quick, quick, quick);
        try (HttpServer server = start(options);
                var steady = new Wire(server)) {
            String head = "POST /v1/lines HTTP/1.1\r\nHost: h\r\nContent-Length: 9000000\r\n\r\n";
            steady.send(head);
            for (int times = 0; times < 3; times++) {
                try (var slow = new Wire(server)) {
                    slow.send(head + "a\nb");
                    var cutOff = CompletableFuture.supplyAsync(slow::closed);
                    while (!cutOff.isDone()) {
                        steady.send("a\n");
                    }
                    assertThat(cutOff.get()).isTrue();
                }
            }
            // Still read: a line too long is answered rather than met with a closed connection.
            assertThat(steady.send("12345678901\n").reply().status()).isEqualTo(413);
        }
    }
}
