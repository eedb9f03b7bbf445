package io.orchestrion.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.Stream;

/// Requests as bytes. Each malformed one carries a second request behind it, which must never be
/// run.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class RawHttpTest {
    private static final String SMUGGLED = "GET /v1/things/smuggled HTTP/1.1\r\nHost: h\r\n\r\n";

    private final Fixture fixture = new Fixture();
    private HttpServer server;

    @BeforeAll
    void start() {
        server = fixture.start();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void forget() {
        fixture.handled.clear();
    }

    static Stream<Arguments> malformed() {
        String post = "POST /v1/things HTTP/1.1\r\nHost: h\r\n";
        String get = "GET /v1/things/1 HTTP/1.1\r\n";
        String chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
        return Stream.of(
                Arguments.of(
                        "length and chunked",
                        post + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        400),
                Arguments.of(
                        "chunked and length",
                        post + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
                        400),
                Arguments.of(
                        "two lengths",
                        post + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
                        400),
                Arguments.of(
                        "two equal lengths",
                        post + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
                        400),
                Arguments.of("a list of lengths", post + "Content-Length: 2, 2\r\n\r\n{}", 400),
                Arguments.of("a length with a sign", post + "Content-Length: +2\r\n\r\n{}", 400),
                Arguments.of("a negative length", post + "Content-Length: -1\r\n\r\n{}", 400),
                Arguments.of("a length in hex", post + "Content-Length: 0x2\r\n\r\n{}", 400),
                Arguments.of(
                        "a length that is no number", post + "Content-Length: two\r\n\r\n{}", 400),
                Arguments.of("an empty length", post + "Content-Length: \r\n\r\n{}", 400),
                Arguments.of(
                        "a length past 64 bits",
                        post + "Content-Length: 99999999999999999999\r\n\r\n{}",
                        400),
                Arguments.of(
                        "chunked twice",
                        post
                                + "Transfer-Encoding: chunked\r\n"
                                + "Transfer-Encoding: chunked\r\n\r\n"
                                + "0\r\n\r\n",
                        400),
                Arguments.of(
                        "chunked listed twice",
                        post + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
                        400),
                Arguments.of(
                        "chunked not last",
                        post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
                        400),
                Arguments.of("identity", post + "Transfer-Encoding: identity\r\n\r\n{}", 400),
                Arguments.of(
                        "gzip then chunked",
                        post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                        501),
                Arguments.of(
                        "xchunked", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 400),
                Arguments.of(
                        "empty transfer encoding",
                        post + "Transfer-Encoding:\r\n\r\n0\r\n\r\n",
                        400),
                Arguments.of(
                        "a space before the colon",
                        post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
                        400),
                Arguments.of(
                        "a folded header",
                        post + "X-A: 1\r\n Transfer-Encoding: chunked\r\n\r\n",
                        400),
                Arguments.of("a header without colon", get + "Host: h\r\nNoColon\r\n\r\n", 400),
                Arguments.of("a header without name", get + "Host: h\r\n: x\r\n\r\n", 400),
                Arguments.of(
                        "a bare LF after the first line",
                        "GET /v1/things/1 HTTP/1.1\nHost: h\r\n\r\n",
                        400),
                Arguments.of("a bare LF after a header", get + "Host: h\nX: 1\r\n\r\n", 400),
                Arguments.of("bare LFs only", "GET /v1/things/1 HTTP/1.1\nHost: h\n\n", 400),
                Arguments.of("a bare CR in a header", get + "Host: h\r\nX: a\rb\r\n\r\n", 400),
                Arguments.of("a NUL in a header", get + "Host: h\r\nX: a\0b\r\n\r\n", 400),
                Arguments.of(
                        "a method in small letters",
                        "get /v1/things/1 HTTP/1.1\r\nHost: h\r\n\r\n",
                        400),
                Arguments.of(
                        "a method with one small letter",
                        "HEAd /v1/things/1 HTTP/1.1\r\nHost: h\r\n\r\n",
                        400),
                Arguments.of("no host", get + "\r\n", 400),
                Arguments.of("two hosts", get + "Host: a\r\nHost: b\r\n\r\n", 400),
                Arguments.of("an empty host", get + "Host: \r\n\r\n", 400),
                Arguments.of("a host with a slash", get + "Host: a/b\r\n\r\n", 400),
                Arguments.of("HTTP/1.0", "GET /v1/things/1 HTTP/1.0\r\nHost: h\r\n\r\n", 505),
                Arguments.of(
                        "HTTP/1.0 with chunked",
                        "POST /v1/things HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        505),
                Arguments.of("HTTP/1.2", "GET /v1/things/1 HTTP/1.2\r\nHost: h\r\n\r\n", 400),
                Arguments.of("no version", "GET /v1/things/1\r\nHost: h\r\n\r\n", 400),
                Arguments.of("noise", "\u0016\u0003\u0001\u0002\r\n\r\n", 400),
                Arguments.of("an empty first line", "\r\n\r\n", 400),
                Arguments.of(
                        "a huge header",
                        get + "Host: h\r\nX: " + "a".repeat(20_000) + "\r\n\r\n",
                        431),
                Arguments.of(
                        "many headers",
                        get + "Host: h\r\n" + "X: aaaaaaa\r\n".repeat(3000) + "\r\n",
                        431),
                Arguments.of(
                        "a huge header name",
                        get + "Host: h\r\n" + "a".repeat(20_000) + ": x\r\n\r\n",
                        431),
                Arguments.of(
                        "a huge first line",
                        "GET /" + "a".repeat(9_000) + " HTTP/1.1\r\nHost: h\r\n\r\n",
                        414),
                Arguments.of(
                        "a content encoding",
                        post + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
                        400),
                Arguments.of(
                        "a chunk size that is no number", chunked + "zz\r\n{}\r\n0\r\n\r\n", 400),
                Arguments.of("a chunk size with a plus", chunked + "+2\r\n{}\r\n0\r\n\r\n", 400),
                Arguments.of("a negative chunk size", chunked + "-2\r\n{}\r\n0\r\n\r\n", 400),
                Arguments.of("a chunk size with a prefix", chunked + "0x2\r\n{}\r\n0\r\n\r\n", 400),
                Arguments.of("a chunk size with a space", chunked + " 2\r\n{}\r\n0\r\n\r\n", 400),
                Arguments.of("an empty chunk size", chunked + "\r\n{}\r\n0\r\n\r\n", 400),
                Arguments.of("a chunk extension", chunked + "2;a=b\r\n{}\r\n0\r\n\r\n", 400),
                Arguments.of("an endless chunk size", chunked + "0".repeat(5000), 400),
                Arguments.of(
                        "a chunk size past 32 bits", chunked + "100000002\r\n{}\r\n0\r\n\r\n", 400),
                Arguments.of("a chunk of gigabytes", chunked + "7fffffff\r\n{}\r\n0\r\n\r\n", 413),
                Arguments.of(
                        "a chunk longer than its size", chunked + "2\r\n{}XX\r\n0\r\n\r\n", 400),
                Arguments.of("a bare LF after a chunk size", chunked + "2\n{}\r\n0\r\n\r\n", 400),
                Arguments.of("a bare LF after a chunk", chunked + "2\r\n{}\n0\r\n\r\n", 400),
                Arguments.of("a trailer", chunked + "2\r\n{}\r\n0\r\nX: 1\r\n\r\n", 400));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformed")
    void malformed_http_is_refused_in_the_doors_words_and_the_connection_closed(
            String name, String bytes, int status) throws Exception {
        try (var wire = new Wire(server)) {
            List<Wire.Reply> replies = wire.send(bytes + SMUGGLED).endOutput().replies();
            assertThat(replies).hasSize(1);
            Wire.Reply reply = replies.getFirst();
            assertThat(reply.status()).isEqualTo(status);
            assertThat(reply.header("Connection")).isEqualTo("close");
            assertThat(reply.header("X-Request-Id")).startsWith("req_");
            assertThat(reply.body())
                    .startsWith("{\"door\":")
                    .contains("\"request_id\":\"" + reply.header("X-Request-Id") + "\"");
            assertThat(reply.header("Server")).isEmpty();
            assertThat(fixture.handled).isEmpty();
        }
    }

    static Stream<Arguments> cutShort() {
        return Stream.of(
                Arguments.of("GET /v1/thi"),
                Arguments.of("GET /v1/things/1 HTTP/1.1\r\nHos"),
                Arguments.of("GET /v1/things/1 HTTP/1.1\r\nHost: h\r\n"),
                Arguments.of(
                        "POST /v1/things HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n{\"na"),
                Arguments.of(
                        "POST /v1/things HTTP/1.1\r\n"
                                + "Host: h\r\n"
                                + "Transfer-Encoding: chunked\r\n\r\n"
                                + "5\r\n"
                                + "{\"n"));
    }

    @ParameterizedTest
    @MethodSource("cutShort")
    void a_request_cut_short_is_never_a_server_error(String bytes) throws Exception {
        try (var wire = new Wire(server)) {
            assertThat(wire.send(bytes).endOutput().replies())
                    .allSatisfy(reply -> assertThat(reply.status()).isEqualTo(400));
            assertThat(fixture.handled).isEmpty();
        }
    }

    @Test
    void pipelined_requests_are_answered_in_order() throws Exception {
        try (var wire = new Wire(server)) {
            wire.send(
                    "GET /v1/things/1 HTTP/1.1\r\n"
                            + "Host: h\r\n\r\n"
                            + "POST /v1/things HTTP/1.1\r\n"
                            + "Host: h\r\n"
                            + "Content-Length: 12\r\n\r\n"
                            + "{\"name\":\"x\"}GET /v1/nothing HTTP/1.1\r\n"
                            + "Host: h\r\n\r\n"
                            + "POST /v1/things HTTP/1.1\r\n"
                            + "Host: h\r\n"
                            + "Transfer-Encoding: chunked\r\n\r\n"
                            + "5\r\n"
                            + "{\"nam\r\n"
                            + "7\r\n"
                            + "e\":\"y\"}\r\n"
                            + "0\r\n\r\n"
                            + "GET /v1/things/2 HTTP/1.1\r\n"
                            + "Host: h\r\n"
                            + "Connection: close\r\n\r\n"
                            + SMUGGLED);
            assertThat(wire.replies())
                    .extracting(Wire.Reply::status)
                    .containsExactly(200, 201, 404, 201, 200);
            assertThat(fixture.handled).containsExactly("read 1", "create x", "create y", "read 2");
        }
    }

    @Test
    void a_small_body_no_one_read_is_skipped_and_the_connection_lives_on() throws Exception {
        try (var wire = new Wire(server)) {
            wire.send(
                    "POST /v1/things/claim HTTP/1.1\r\nHost: h\r\nContent-Length: 45\r\n\r\n"
                            + SMUGGLED
                            + "GET /v1/things/2 HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(wire.reply().status()).isEqualTo(204);
            assertThat(wire.reply().body()).contains("\"id\":\"2\"");
            assertThat(fixture.handled).containsExactly("read 2");
        }
    }

    @Test
    void an_unread_body_is_never_taken_for_the_next_request() throws Exception {
        try (var wire = new Wire(server)) {
            String body = SMUGGLED.repeat(100);
            wire.send(
                    "POST /v1/things HTTP/1.1\r\nHost: h\r\nContent-Length: "
                            + body.length()
                            + "\r\n\r\n"
                            + body
                            + "GET /v1/things/after HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(wire.reply().status()).isEqualTo(413);
            assertThat(wire.reply().status()).isEqualTo(200);
            assertThat(fixture.handled).containsExactly("read after");
        }
    }

    @Test
    void a_long_body_no_one_reads_closes_the_connection() throws Exception {
        try (var wire = new Wire(server)) {
            String body = SMUGGLED.repeat(2000);
            wire.send(
                    "POST /v1/things HTTP/1.1\r\nHost: h\r\nContent-Length: "
                            + body.length()
                            + "\r\n\r\n"
                            + body
                            + SMUGGLED);
            List<Wire.Reply> replies = wire.replies();
            assertThat(replies).hasSize(1);
            assertThat(replies.getFirst().status()).isEqualTo(413);
            assertThat(replies.getFirst().header("Connection")).isEqualTo("close");
            assertThat(fixture.handled).isEmpty();
        }
    }

    /// Closed while it still writes, a client would find a broken connection instead of the answer.
    @Test
    void who_sends_somewhat_too_much_can_send_it_all_and_reads_why_it_was_refused()
            throws Exception {
        try (var wire = new Wire(server)) {
            String body = "x".repeat(12 * 1024 * 1024);
            wire.send(
                    "POST /v1/things HTTP/1.1\r\nHost: h\r\nContent-Length: "
                            + body.length()
                            + "\r\n\r\n"
                            + body);
            List<Wire.Reply> replies = wire.replies();
            assertThat(replies).hasSize(1);
            assertThat(replies.getFirst().status()).isEqualTo(413);
        }
    }

    @Test
    void a_refusal_before_100_continue_closes_without_waiting_for_the_body() throws Exception {
        try (var wire = new Wire(server)) {
            wire.send(
                    "POST /v1/things?stop=1 HTTP/1.1\r\n"
                            + "Host: h\r\n"
                            + "Expect: 100-continue\r\n"
                            + "Content-Length: 20\r\n\r\n");
            List<Wire.Reply> replies = wire.replies();
            assertThat(replies).hasSize(1);
            assertThat(replies.getFirst().status()).isEqualTo(401);
        }
    }

    @Test
    void targets_in_every_form_are_answered_and_never_with_500() throws Exception {
        for (var expected :
                List.of(
                        List.of("GET http://h/v1/things/7", "200"),
                        List.of("GET http://h", "404"),
                        List.of("OPTIONS *", "404"),
                        List.of("CONNECT h:443", "404"),
                        List.of("GET /v1/things/%zz", "404"),
                        List.of("GET /v1/things/%", "404"),
                        List.of("GET /v1/things/../things/7", "404"),
                        List.of("GET //v1/things/7", "404"),
                        List.of("GET /v1/things/7/", "404"),
                        List.of("GET /v1/things/\u00ff", "404"),
                        List.of("GET /v1/things/\u0001", "404"),
                        List.of("GET /v1/things/a|b", "200"),
                        List.of("GET /v1/things/7;x=%zz", "404"),
                        List.of("GET /v1/things?a=%zz", "400"),
                        List.of("GET /v1/things?a=%00", "400"),
                        List.of("GET /v1/things?tag={\"x\":[1]}", "200"),
                        List.of("GET /v1/things#f", "400"),
                        List.of("GET /v1/nothing?a=%zz", "404"),
                        List.of("TRACE /v1/things", "405"))) {
            try (var wire = new Wire(server)) {
                wire.send(expected.getFirst() + " HTTP/1.1\r\nHost: h\r\n\r\n");
                assertThat(wire.reply().status())
                        .as(expected.getFirst())
                        .isEqualTo(Integer.parseInt(expected.getLast()));
            }
        }
    }

    @Test
    void an_upgrade_is_not_taken() throws Exception {
        try (var wire = new Wire(server)) {
            wire.send(
                    "GET /v1/things/1 HTTP/1.1\r\n"
                            + "Host: h\r\n"
                            + "Connection: Upgrade, HTTP2-Settings\r\n"
                            + "Upgrade: h2c\r\n"
                            + "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n");
            assertThat(wire.reply().status()).isEqualTo(200);
        }
        try (var wire = new Wire(server)) {
            List<Wire.Reply> replies =
                    wire.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").endOutput().replies();
            assertThat(replies).extracting(Wire.Reply::status).containsExactly(400);
        }
    }
}
