package io.orchestrion.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.signals.Tracing;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class HttpServerTest {
    private final Fixture fixture = new Fixture();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private HttpServer server;

    @BeforeAll
    void start() {
        server = fixture.start();
    }

    @AfterAll
    void stop() {
        server.close();
        client.close();
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> create(String body, String contentType) throws Exception {
        return send(
                to("/v1/things")
                        .header("Content-Type", contentType)
                        .POST(BodyPublishers.ofString(body)));
    }

    @Test
    void a_handler_gets_path_header_and_what_a_gate_attached() throws Exception {
        HttpResponse<String> response = send(to("/v1/things/a%20b").header("X-Caller", "ann"));
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("{\"id\":\"a b\",\"caller\":\"ann\"}");
        assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(response.headers().firstValue("Server")).isEmpty();
    }

    @Test
    void query_parameters_take_defaults_and_refuse_what_does_not_fit() throws Exception {
        assertThat(send(to("/v1/things?tag=a%26b")).body())
                .isEqualTo("{\"limit\":50,\"tag\":\"a&b\"}");
        HttpResponse<String> unknown = send(to("/v1/things?tag=a%26b&other=1"));
        assertThat(unknown.statusCode()).isEqualTo(400);
        assertThat(unknown.body()).contains("other", "is not a known query parameter");
        HttpResponse<String> refused = send(to("/v1/things?limit=101"));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("limit must be an integer from 1 to 100");
    }

    @Test
    void a_json_body_is_read_by_the_declaration() throws Exception {
        assertThat(create("{\"name\":\"n\",\"payload\":{\"x\": 1.0}}", "application/json").body())
                .isEqualTo("{\"name\":\"n\",\"payload\":{\"x\":1.0}}");
        assertThat(create("{\"name\":\"é\"}", "Application/JSON; Charset=\"UTF-8\"").statusCode())
                .isEqualTo(201);
        HttpResponse<String> unknown = create("{\"name\":\"n\",\"x\":1}", "application/json");
        assertThat(unknown.statusCode()).isEqualTo(400);
        assertThat(unknown.body())
                .contains("\\\"x\\\" is not a known field")
                .contains("\"door\":\"things\"");
        assertThat(create("{", "application/json").statusCode()).isEqualTo(400);
        assertThat(create("", "application/json").statusCode()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "application/x-www-form-urlencoded",
                "application/json;charset=latin1",
                "application/jsonx"
            })
    void another_media_type_is_refused(String contentType) throws Exception {
        HttpResponse<String> response = create("{\"name\":\"n\"}", contentType);
        assertThat(response.statusCode()).isEqualTo(415);
        assertThat(response.body()).contains("application/json");
    }

    @Test
    void every_answer_has_its_own_request_id_in_header_and_body() throws Exception {
        var seen = new HashSet<String>();
        for (String path :
                new String[] {
                    "/v1/things/1", "/v1/nothing", "/nowhere", "/other/boom", "/v1/things?tag=%00"
                }) {
            HttpResponse<String> response = send(to(path).header("X-Request-Id", "req_mine"));
            String id = response.headers().firstValue("X-Request-Id").orElseThrow();
            assertThat(id).matches("req_[0-9a-z]{26}");
            assertThat(seen.add(id)).isTrue();
            if (response.statusCode() != 200) {
                assertThat(response.body()).contains("\"request_id\":\"" + id + "\"");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"/v1/things/1, 200", "/v1/nope, 404", "/v1/things/1/claim, 405"})
    void an_observer_that_fails_changes_no_answer(String path, int status) throws Exception {
        var failing =
                new CallObserver() {
                    @Override
                    public Tracing.Span begun(Call call, String parent) {
                        throw new IllegalStateException("at the start");
                    }

                    @Override
                    public void answered(Call call, int answer, long took, Tracing.Span span) {
                        throw new IllegalStateException("at the end");
                    }
                };
        try (var observed = HttpServer.start(Fixture.options(), fixture.router(), failing)) {
            var request =
                    HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + observed.port() + path));
            assertThat(send(request).statusCode()).isEqualTo(status);
        }
    }

    @Test
    void unknown_paths_are_worded_by_the_door_that_owns_them() throws Exception {
        assertThat(send(to("/v1/nothing")).body()).contains("\"door\":\"things\"");
        assertThat(send(to("/other/nothing")).body()).contains("\"door\":\"other\"");
        HttpResponse<String> elsewhere = send(to("/elsewhere"));
        assertThat(elsewhere.statusCode()).isEqualTo(404);
        assertThat(elsewhere.body()).contains("\"door\":\"default\"");
    }

    @Test
    void a_wrong_method_is_answered_with_those_allowed() throws Exception {
        for (String method : new String[] {"DELETE", "OPTIONS", "PATCH", "FOO"}) {
            HttpResponse<String> response =
                    send(to("/v1/things").method(method, BodyPublishers.noBody()));
            assertThat(response.statusCode()).isEqualTo(405);
            assertThat(response.headers().firstValue("Allow")).contains("GET, HEAD, POST");
            assertThat(response.body()).contains("\"door\":\"things\"");
        }
    }

    @Test
    void head_is_get_without_its_body() throws Exception {
        HttpResponse<String> response =
                send(to("/v1/things").method("HEAD", BodyPublishers.noBody()));
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Length")).contains("23");
        assertThat(response.body()).isEmpty();
        assertThat(send(to("/v1/things")).body()).hasSize(23);
    }

    @Test
    void a_failing_handler_is_worded_by_its_door_and_leaks_nothing() throws Exception {
        HttpResponse<String> response = send(to("/other/boom"));
        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body()).contains("\"door\":\"other\"").doesNotContain("secret");
        assertThat(fixture.failures.poll(60, TimeUnit.SECONDS)).hasMessage("secret detail");
    }

    @Test
    void a_gate_can_end_the_call_before_its_body_is_read() throws Exception {
        HttpResponse<String> response =
                send(to("/v1/things?stop=1").POST(BodyPublishers.ofString("{\"name\":\"gated\"}")));
        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(fixture.handled).doesNotContain("create gated");
    }

    @Test
    void a_call_passes_only_the_gates_of_its_own_door() throws Exception {
        assertThat(send(to("/v1/things/1?stop=1")).statusCode()).isEqualTo(401);
        assertThat(send(to("/other/boom?stop=1")).statusCode()).isEqualTo(500);
        assertThatThrownBy(
                        () ->
                                Router.of(new Catalogue(List.of()))
                                        .door(new Fixture.PlainDoor("d", "/"))
                                        .gates("unknown", List.of())
                                        .build())
                .hasMessageContaining("unknown");
    }

    @Test
    void a_body_of_exactly_the_bound_is_read_and_one_byte_more_is_refused() throws Exception {
        String open = "{\"name\":\"n\"";
        String exact = open + " ".repeat(1000 - open.length() - 1) + "}";
        for (boolean chunked : new boolean[] {false, true}) {
            assertThat(sized(exact, chunked).statusCode()).isEqualTo(201);
            HttpResponse<String> refused = sized(exact + " ", chunked);
            assertThat(refused.statusCode()).isEqualTo(413);
            assertThat(refused.body()).contains("at most 1000 bytes");
        }
    }

    @Test
    void a_much_larger_body_is_answered_and_not_reset() throws Exception {
        String huge = "{\"name\":\"n\"}" + " ".repeat(500_000);
        for (boolean chunked : new boolean[] {false, true}) {
            assertThat(sized(huge, chunked).statusCode()).isEqualTo(413);
        }
    }

    @Test
    void a_body_for_which_there_is_no_room_is_refused_whether_its_length_is_said_or_not()
            throws Exception {
        String body = "{\"name\":\"n\"" + " ".repeat(900) + "}";
        var memory = new HttpOptions.Memory(1000, 1000);
        try (var small = HttpServer.start(Fixture.options().withMemory(memory), fixture.router())) {
            for (boolean chunked : new boolean[] {false, true}) {
                HttpResponse<String> refused = sized(small, body, chunked);
                assertThat(refused.statusCode()).isEqualTo(503);
                assertThat(refused.headers().firstValue("Retry-After")).contains("1");
            }
            Until.isTrue(
                    "nothing is held", Duration.ofSeconds(20), () -> small.bytesInFlight() == 0);
            assertThat(sized(small, "{\"name\":\"n\"}", false).statusCode()).isEqualTo(201);
        }
    }

    private HttpResponse<String> sized(String body, boolean chunked) throws Exception {
        return sized(server, body, chunked);
    }

    private HttpResponse<String> sized(HttpServer by, String body, boolean chunked)
            throws Exception {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + by.port() + "/v1/things"))
                        .POST(
                                chunked
                                        ? BodyPublishers.ofInputStream(
                                                () -> new java.io.ByteArrayInputStream(bytes))
                                        : BodyPublishers.ofByteArray(bytes)));
    }

    @Test
    void expect_100_continue_is_answered_before_the_body() throws Exception {
        HttpResponse<String> response =
                send(
                        to("/v1/things")
                                .expectContinue(true)
                                .POST(BodyPublishers.ofString("{\"name\":\"exp\"}")));
        assertThat(response.statusCode()).isEqualTo(201);
        HttpResponse<String> refused =
                send(
                        to("/v1/things")
                                .expectContinue(true)
                                .POST(BodyPublishers.ofString("x".repeat(2000))));
        assertThat(refused.statusCode()).isEqualTo(413);
    }

    @Test
    void a_large_answer_arrives_whole() throws Exception {
        assertThat(client.send(to("/other/large").build(), BodyHandlers.ofByteArray()).body())
                .hasSize(8 * 1024 * 1024);
    }

    @Test
    void beyond_its_capacity_the_server_says_so_and_still_serves_holders() throws Exception {
        var own = new Fixture();
        try (HttpServer small =
                HttpServer.start(
                        Fixture.options().withAdmission(Fixture.places(2, 1)), own.router())) {
            var base = "http://127.0.0.1:" + small.port();
            var wait =
                    HttpRequest.newBuilder(URI.create(base + "/v1/wait"))
                            .POST(BodyPublishers.noBody())
                            .build();
            CompletableFuture<HttpResponse<String>> first =
                    client.sendAsync(wait, BodyHandlers.ofString());
            CompletableFuture<HttpResponse<String>> second =
                    client.sendAsync(wait, BodyHandlers.ofString());
            var releaseFirst = own.waiting.poll(60, TimeUnit.SECONDS);
            var releaseSecond = own.waiting.poll(60, TimeUnit.SECONDS);
            assertThat(small.inFlight()).isEqualTo(2);

            HttpResponse<String> refused =
                    client.send(
                            HttpRequest.newBuilder(URI.create(base + "/v1/things/1")).build(),
                            BodyHandlers.ofString());
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
            assertThat(refused.body()).contains("\"door\":\"things\"");
            HttpResponse<String> beat =
                    client.send(
                            HttpRequest.newBuilder(URI.create(base + "/v1/things/1/heartbeat"))
                                    .POST(BodyPublishers.noBody())
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(beat.statusCode()).isEqualTo(204);

            releaseFirst.countDown();
            releaseSecond.countDown();
            assertThat(first.get(50, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            assertThat(second.get(50, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        }
    }

    /// A refused body is read away for a while, which is no work of a call: its place is free for
    /// others from the answer on.
    @Test
    void a_refused_body_that_is_still_being_sent_holds_no_place() throws Exception {
        HttpOptions options = Fixture.options().withAdmission(Fixture.places(1, 1));
        try (HttpServer narrow = HttpServer.start(options, fixture.router());
                var refused = new Wire(narrow);
                var other = new Wire(narrow)) {
            refused.send("POST /v1/things HTTP/1.1\r\nHost: h\r\nContent-Length: 9000000\r\n\r\n");
            assertThat(refused.reply().status()).isEqualTo(413);
            other.send("GET /v1/things/1 HTTP/1.1\r\nHost: h\r\n\r\n");
            // The place is given back right after the answer is sent, which may be a moment later.
            Wire.Reply reply = other.reply();
            while (reply.status() == 503 && narrow.inFlight() > 0) {
                other.send("GET /v1/things/1 HTTP/1.1\r\nHost: h\r\n\r\n");
                reply = other.reply();
            }
            assertThat(reply.status()).isEqualTo(200);
        }
    }

    @Test
    void stopping_lets_a_call_finish_and_takes_no_new_one() throws Exception {
        var own = new Fixture();
        HttpServer stopping = own.start();
        try (var idle = new Wire(stopping);
                var busy = new Wire(stopping)) {
            idle.send("GET /v1/things/1 HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(idle.reply().status()).isEqualTo(200);
            busy.send("POST /v1/wait HTTP/1.1\r\nHost: h\r\n\r\n");
            var release = own.waiting.poll(60, TimeUnit.SECONDS);
            CompletableFuture<Boolean> drained =
                    CompletableFuture.supplyAsync(() -> stopping.stop(Duration.ofSeconds(20)));
            assertThat(idle.closed()).isTrue();
            int port = stopping.port();
            assertThatThrownBy(
                            () -> {
                                // The listener goes a moment after idle connections.
                                while (!Thread.interrupted()) {
                                    new java.net.Socket("127.0.0.1", port).close();
                                }
                            })
                    .isInstanceOf(java.io.IOException.class);
            assertThat(drained).isNotDone();
            release.countDown();
            Wire.Reply reply = busy.reply();
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.header("Connection")).isEqualTo("close");
            assertThat(busy.closed()).isTrue();
            assertThat(drained.get(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void stopping_cuts_off_a_call_that_does_not_finish() throws Exception {
        var own = new Fixture();
        HttpServer stopping = own.start();
        try (var busy = new Wire(stopping)) {
            busy.send("POST /v1/wait HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(own.waiting.poll(60, TimeUnit.SECONDS)).isNotNull();
            assertThat(stopping.stop(Duration.ofMillis(1))).isFalse();
            assertThat(stopping.inFlight()).isZero();
            Wire.Reply reply = busy.reply();
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.header("Retry-After")).isEqualTo("1");
        }
    }

    @Test
    void a_taken_port_is_named() {
        HttpOptions same = HttpOptions.on("127.0.0.1", server.port());
        assertThatThrownBy(() -> HttpServer.start(same, new Fixture().router()))
                .isInstanceOfSatisfying(
                        PortTaken.class,
                        taken -> assertThat(taken.port()).isEqualTo(server.port()));
        assertThatThrownBy(
                        () ->
                                HttpServer.start(
                                        HttpOptions.on("192.0.2.1", 18_099),
                                        new Fixture().router()))
                .isInstanceOf(java.io.UncheckedIOException.class)
                .hasMessageContaining("192.0.2.1");
    }

    @Test
    void slow_headers_slow_bodies_and_clients_that_do_not_read_are_cut_off() throws Exception {
        // Long enough for the one request that is to be answered on a busy machine.
        var quick = Duration.ofMillis(1_200);
        HttpOptions options =
                HttpOptions.on("127.0.0.1", 0)
                        .withTimes(quick, quick, quick, Duration.ofSeconds(2));
        try (HttpServer strict = HttpServer.start(options, new Fixture().router());
                var line = new Wire(strict);
                var header = new Wire(strict);
                var body = new Wire(strict);
                var second = new Wire(strict);
                var silent = new Wire(strict);
                var deaf = new Wire(strict)) {
            line.send("GET /v1/th");
            header.send("GET /v1/things/1 HTTP/1.1\r\nHost: h\r\nX-A: ");
            body.send("POST /v1/things HTTP/1.1\r\nHost: h\r\nContent-Length: 50\r\n\r\n{");
            second.send("GET /v1/things/1 HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(second.reply().status()).isEqualTo(200);
            second.send("GET /v1/things/1 HT");
            deaf.send("GET /other/large HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(line.closed()).isTrue();
            assertThat(header.closed()).isTrue();
            assertThat(body.closed()).isTrue();
            assertThat(second.closed()).isTrue();
            assertThat(silent.closed()).isTrue();
            // The answer is larger than the socket buffers, so a client that did not read in time
            // gets a part of it.
            assertThatThrownBy(
                            () -> {
                                if (deaf.reply().body().length() < 8 * 1024 * 1024) {
                                    throw new java.io.IOException("cut");
                                }
                            })
                    .isInstanceOf(java.io.IOException.class);
        }
    }
}
