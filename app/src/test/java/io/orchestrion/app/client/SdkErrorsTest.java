package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orchestrion.app.client.FaultyProxy.Fault;
import io.orchestrion.sdk.NewTask;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.OrchestrionException;
import io.orchestrion.sdk.RetryPolicy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.UUID;

@Timeout(180)
class SdkErrorsTest {
    private static ClientServer server;

    @BeforeAll
    static void start() {
        server = new ClientServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static OrchestrionException refusal(ThrowingCallable call) {
        return catchThrowableOfType(OrchestrionException.class, call);
    }

    @Test
    void a_refusal_carries_everything_that_the_server_said() {
        try (var client = server.client()) {
            UUID id = client.create(NewTask.ofType("held").build()).id();
            client.claim(id, "other");
            OrchestrionException e = refusal(() -> client.claim(id, "me"));
            assertThat(e.code()).isEqualTo("task_currently_claimed");
            assertThat(e.status()).isEqualTo(409);
            assertThat(e).hasMessage("A worker holds this task; its lease must end first.");
            assertThat(e.requestId()).isPresent();
            assertThat(e.retryable()).isTrue();
            assertThat(e.retryAfterSeconds().orElseThrow()).isBetween(1L, 300L);
            assertThat(e.recommended().orElseThrow().action()).isEqualTo("retry_after_wait");
            assertThat(e.nextActions()).extracting("action").contains("check_task_status");
        }
    }

    @Test
    void what_is_not_there_and_what_is_not_right_are_told_apart() {
        try (var client = server.client()) {
            assertThat(refusal(() -> client.get(UUID.randomUUID())).code())
                    .isEqualTo("task_not_found");
            OrchestrionException e =
                    refusal(() -> client.create(NewTask.ofType("t").priority(101).build()));
            assertThat(e.code()).isEqualTo("invalid_request");
            assertThat(e).hasMessageContaining("priority");
        }
        try (var stranger = OrchestrionClient.of(server.url(), "orch_live_" + "0".repeat(64))) {
            assertThat(refusal(() -> stranger.get(UUID.randomUUID())).code())
                    .isEqualTo("invalid_api_key");
        }
        try (var nobody = OrchestrionClient.builder(server.url()).build()) {
            assertThat(refusal(() -> nobody.get(UUID.randomUUID())).code())
                    .isEqualTo("missing_api_key");
        }
    }

    @Test
    void no_server_is_unreachable() throws IOException {
        int free;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        try (var client =
                OrchestrionClient.builder(URI.create("http://127.0.0.1:" + free))
                        .retries(RetryPolicy.none())
                        .build()) {
            OrchestrionException e = refusal(client::health);
            assertThat(e.code()).isEqualTo(OrchestrionException.UNREACHABLE);
            assertThat(e.status()).isZero();
            assertThat(e.retryable()).isTrue();
        }
    }

    @Test
    void somebody_elses_answer_is_no_answer_of_ours() {
        try (var proxy = new FaultyProxy(server.url()).next(Fault.NOT_OURS);
                var client = OrchestrionClient.of(proxy.url(), server.newKey())) {
            OrchestrionException e = refusal(() -> client.get(UUID.randomUUID()));
            assertThat(e.code()).isEqualTo(OrchestrionException.BAD_ANSWER);
            assertThat(e.status()).isEqualTo(200);
            assertThat(e.retryable()).isFalse();
        }
    }

    @Test
    void an_interrupted_caller_is_told_and_stays_interrupted() {
        try (var client = server.client()) {
            Thread.currentThread().interrupt();
            OrchestrionException e = refusal(() -> client.get(UUID.randomUUID()));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(e.code()).isEqualTo(OrchestrionException.INTERRUPTED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{} {}", "nonsense"})
    void a_payload_that_is_no_json_is_not_sent(String payload) {
        try (var client = server.client()) {
            assertThatThrownBy(() -> client.create(NewTask.ofType("t").payload(payload).build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("payload");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://h", "http://u:p@h", "http://h?q=1", "localhost:8080", "http://"})
    void an_address_that_is_none_is_refused(String address) {
        assertThatThrownBy(() -> OrchestrionClient.builder(new URI(address)))
                .isInstanceOfAny(IllegalArgumentException.class, java.net.URISyntaxException.class);
    }

    @Test
    void a_registration_does_not_print_its_key() {
        try (var anybody = OrchestrionClient.builder(server.url()).build()) {
            var made = anybody.register("somebody");
            assertThat(made.toString()).doesNotContain(made.apiKey());
        }
    }
}
