package io.orchestrion.server.egress;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.egress.Call;
import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.egress.CallOutcome.Answered;
import io.orchestrion.kernel.egress.CallOutcome.Failed;
import io.orchestrion.kernel.egress.CallOutcome.Reason;
import io.orchestrion.server.http.AddressRanges;
import io.orchestrion.testkit.HookReceiver;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Calls to a server on this machine that does what it likes.
class GuardedEgressTest {
    private static final UUID ACCOUNT = UUID.fromString("01890000-0000-7000-8000-000000000001");
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final HookReceiver server = new HookReceiver();
    private final GuardedEgress egress =
            new GuardedEgress(
                    new AddressGuard(
                            AddressRanges.of("127.0.0.1"), GuardedEgressTest::names, LONG));

    private static InetAddress[] names(String name) throws UnknownHostException {
        return switch (name) {
            case "here.example" -> new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")};
            case "private.example" -> new InetAddress[] {InetAddress.ofLiteral("10.0.0.5")};
            case "both.example" ->
                    new InetAddress[] {
                        InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("192.168.0.1")
                    };
            default -> throw new UnknownHostException(name);
        };
    }

    @AfterEach
    void close() {
        egress.close();
        server.close();
    }

    private Call get(String path) {
        return Call.of("GET", server.url(path)).within(LONG, LONG);
    }

    private CallOutcome call(Call call) throws InterruptedException {
        return egress.call(ACCOUNT, call);
    }

    private Failed failed(Call call) throws InterruptedException {
        CallOutcome outcome = call(call);
        assertThat(outcome).isInstanceOf(Failed.class);
        return (Failed) outcome;
    }

    private Answered answered(Call call) throws InterruptedException {
        CallOutcome outcome = call(call);
        assertThat(outcome).isInstanceOf(Answered.class);
        return (Answered) outcome;
    }

    @Test
    void a_call_carries_its_headers_and_body_and_brings_the_answer() throws Exception {
        server.on("/in", (_, out) -> HookReceiver.say(out, 201, "made", "X-Two: a", "x-two: b"));
        Answered made =
                answered(
                        Call.of("POST", server.url("/in"))
                                .header("Idempotency-Key", "k1")
                                .json("{\"a\":1}".getBytes(StandardCharsets.UTF_8)));
        assertThat(made.status()).isEqualTo(201);
        assertThat(new String(made.body(), StandardCharsets.UTF_8)).isEqualTo("made");
        assertThat(made.headers().get("X-TWO")).containsExactly("a", "b");
        HookReceiver.Got got = server.got("/in").getFirst();
        assertThat(got.body()).isEqualTo("{\"a\":1}");
        assertThat(got.header("Idempotency-Key")).isEqualTo("k1");
        assertThat(got.header("Content-Type")).isEqualTo("application/json");
        assertThat(got.header("Accept-Encoding")).isEqualTo("identity");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "PUT", "PATCH", "DELETE"})
    void every_method_goes_without_a_body(String method) throws Exception {
        assertThat(answered(Call.of(method, server.url("/plain"))).status()).isEqualTo(200);
        assertThat(server.got("/plain").getFirst().body()).isEmpty();
    }

    @Test
    void a_redirect_is_an_answer_and_is_not_followed() throws Exception {
        server.answering("/old", 307, "Location: " + server.url("/new"));
        Answered answer = answered(get("/old"));
        assertThat(answer.status()).isEqualTo(307);
        assertThat(answer.header("location")).isEqualTo(server.url("/new"));
        assertThat(server.got("/new")).isEmpty();
    }

    @Test
    void an_answer_that_asks_to_wait_is_brought_and_not_repeated() throws Exception {
        server.answering("/busy", 503, "Retry-After: 0");
        Answered answer = answered(get("/busy"));
        assertThat(answer.retryAfterSeconds()).isZero();
        assertThat(answer.headers().keySet()).noneMatch(name -> name.startsWith("X-Orch"));
        assertThat(server.got("/busy")).hasSize(1);
    }

    @Test
    void a_server_that_says_nothing_is_given_up_in_time() throws Exception {
        server.hanging("/never");
        Failed failed = failed(get("/never").within(LONG, SHORT));
        assertThat(failed.reason()).isEqualTo(Reason.TIMED_OUT);
        assertThat(failed.sent()).isTrue();
    }

    @Test
    void an_answer_that_never_ends_is_given_up_in_time() throws Exception {
        server.dripping("/drops", "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
        assertThat(failed(get("/drops").within(LONG, SHORT)).reason()).isEqualTo(Reason.TIMED_OUT);
    }

    @Test
    void the_start_of_an_answer_that_never_ends_is_taken_where_it_is_enough() throws Exception {
        server.dripping("/drops", "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
        Answered answer = answered(get("/drops").within(LONG, SHORT).startOfAnswer(1_000_000));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isNotEmpty();
    }

    @Test
    void an_answer_may_be_as_large_as_was_said_and_no_larger() throws Exception {
        server.on("/ten", (_, out) -> HookReceiver.say(out, 200, "0123456789"));
        assertThat(answered(get("/ten").answerAtMost(10)).body()).hasSize(10);
        Failed failed = failed(get("/ten").answerAtMost(9));
        assertThat(failed.reason()).isEqualTo(Reason.TOO_LARGE);
        assertThat(failed.sent()).isTrue();
        assertThat(answered(get("/ten").startOfAnswer(4)).body()).hasSize(4);
    }

    @Test
    void a_connection_that_nobody_takes_is_told_from_one_that_breaks() throws Exception {
        int free;
        try (var socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            free = socket.getLocalPort();
        }
        Failed refused = failed(Call.of("GET", "http://127.0.0.1:" + free + "/"));
        assertThat(refused.reason()).isEqualTo(Reason.CONNECT_FAILED);
        assertThat(refused.sent()).isFalse();
        server.on(
                "/breaks",
                (_, _) -> {
                    throw new IOException("gone");
                });
        Failed broken = failed(get("/breaks"));
        assertThat(broken.reason()).isEqualTo(Reason.BROKEN);
        assertThat(broken.sent()).isTrue();
    }

    @Test
    void plain_text_at_a_secure_address_is_no_secure_connection() throws Exception {
        server.on("/", (_, out) -> HookReceiver.say(out, 200, ""));
        Failed failed =
                failed(
                        Call.of("GET", "https://127.0.0.1:" + server.port() + "/")
                                .within(LONG, SHORT));
        assertThat(failed.reason()).isIn(Reason.TLS_FAILED, Reason.TIMED_OUT);
        assertThat(failed.sent()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://10.0.0.1/",
                "http://private.example/",
                "http://both.example/",
                "ftp://here.example/",
                "http://user:secret@here.example/"
            })
    void an_address_that_may_not_be_called_is_not(String url) throws Exception {
        assertThat(egress.fault(ACCOUNT, url)).startsWith("must ");
        Failed failed = failed(Call.of("GET", url));
        assertThat(failed.reason()).isEqualTo(Reason.ADDRESS_REFUSED);
        assertThat(failed.detail()).doesNotContain("secret");
        assertThat(failed.sent()).isFalse();
    }

    @Test
    void a_name_that_stands_for_nothing_is_told_so() throws Exception {
        assertThat(egress.fault(ACCOUNT, "http://nowhere.example/")).isNull();
        assertThat(failed(Call.of("GET", "http://nowhere.example/")).reason())
                .isEqualTo(Reason.UNKNOWN_HOST);
    }

    @Test
    void a_name_is_called_at_the_address_that_was_looked_at() throws Exception {
        String host = "here.example:" + server.port();
        assertThat(answered(Call.of("GET", "http://" + host + "/in")).status()).isEqualTo(200);
        assertThat(server.got("/in").getFirst().header("host")).isEqualTo(host);
    }

    @Test
    void an_interrupt_ends_a_call_at_once() throws Exception {
        server.hanging("/never");
        server.dripping("/drops", "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
        for (String path : List.of("/never", "/drops")) {
            var ended = new CompletableFuture<String>();
            Thread calling =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            ended.complete("answered " + call(get(path)));
                                        } catch (InterruptedException e) {
                                            ended.complete("interrupted");
                                        }
                                    });
            server.await(path, 1);
            calling.interrupt();
            assertThat(ended.get(60, TimeUnit.SECONDS)).as(path).isEqualTo("interrupted");
        }
    }

    @Test
    void a_close_cuts_off_what_is_under_way() throws Exception {
        server.hanging("/never");
        var ended = new CompletableFuture<CallOutcome>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                ended.complete(call(get("/never")));
                            } catch (InterruptedException e) {
                                ended.completeExceptionally(e);
                            }
                        });
        server.await("/never", 1);
        egress.close();
        Until.isTrue("the call ended", LONG, ended::isDone);
        assertThat(ended.get()).isInstanceOf(Failed.class);
    }
}
