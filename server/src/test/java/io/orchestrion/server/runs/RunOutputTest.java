package io.orchestrion.server.runs;

import static io.orchestrion.server.runs.RunReadsTest.refused;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.identity.Scope;
import io.orchestrion.runs.output.Outputs;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Sse;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// What a step writes while a worker holds it, and how others follow it.
@Timeout(120)
class RunOutputTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final TaskApi account = server.account();
    private final Api api = account.api();
    private final StoredRun run = StoredRun.running(server, account, Map.of());
    private UUID step;
    private UUID item;
    private String token;

    @BeforeEach
    void claimed() {
        UUID agent = run.agent(0);
        step = run.step(agent, run.task(agent, 0, 0, 1), 0);
        item = UUID.fromString(account.create("search"));
        run.attempt(item, step, 1, "running");
        run.opens(step, item);
        token = account.claim("search").text("/leaseToken");
    }

    private String path() {
        return "/api/v1/steps/step_" + step + "/output";
    }

    private static String body(UUID attempt, String text) {
        return "{\"attempt_id\":\"%s\",\"text\":\"%s\"}".formatted(attempt, text);
    }

    private Reply write(String text) {
        return api.post(path(), body(item, text));
    }

    private List<String> seen(String query) {
        return seen(query, "");
    }

    private List<String> seen(String query, String lastId) {
        var headers = new HashMap<>(Map.of("Authorization", "Bearer " + account.key()));
        if (!lastId.isEmpty()) {
            headers.put("Last-Event-ID", lastId);
        }
        var texts = new ArrayList<String>();
        try (Sse stream =
                Sse.open(server.port(), run.path() + "/stream?seconds=0" + query, headers)) {
            for (Sse.Block block = stream.nextEvent(); block != null; block = stream.nextEvent()) {
                texts.add(block.json().path("text").asString(""));
            }
        }
        return texts;
    }

    @Test
    void a_watcher_leaves_and_comes_back_by_its_cursor() {
        for (int i = 1; i <= 20; i++) {
            Reply reply = write("piece " + i);
            assertThat(reply.status()).as(reply.text()).isEqualTo(200);
            assertThat(reply.number("/seq")).isEqualTo(i);
        }
        assertThat(seen("")).hasSize(20).startsWith("piece 1").endsWith("piece 20");
        assertThat(seen("&after=18")).containsExactly("piece 19", "piece 20");
        assertThat(seen("", "19")).containsExactly("piece 20");
        assertThat(seen("&after=now")).isEmpty();
        assertThat(seen("&step_id=step_" + UUID.randomUUID())).isEmpty();
        refused(api.get(run.path() + "/stream?after=x"), 400, "invalid_request");
        refused(api.get("/api/v1/runs/run_" + UUID.randomUUID() + "/stream"), 404, "run_not_found");
        refused(server.account().api().get(run.path() + "/stream"), 404, "run_not_found");
    }

    @Test
    void a_watcher_sees_what_comes() {
        Map<String, String> headers = Map.of("Authorization", "Bearer " + account.key());
        try (Sse stream = Sse.open(server.port(), run.path() + "/stream", headers)) {
            write("first");
            assertThat(stream.nextEvent().json().path("text").asString("")).isEqualTo("first");
            write("second");
            Sse.Block second = stream.nextEvent();
            assertThat(second.json().path("text").asString("")).isEqualTo("second");
            assertThat(second.id()).isEqualTo("2");
        }
    }

    @Test
    void only_the_holder_of_the_step_writes() {
        refused(
                api.post(
                        path(),
                        "{\"attempt_id\":\"%s\",\"lease_token\":\"%s\",\"text\":\"x\"}"
                                .formatted(item, UUID.randomUUID())),
                409,
                "lease_lost");
        assertThat(
                        api.post(
                                        path(),
                                        "{\"attempt_id\":\"att_%s\",\"lease_token\":\"%s\",\"text\":\"x\",\"channel\":\"stderr\"}"
                                                .formatted(item, token))
                                .status())
                .isEqualTo(200);
        refused(api.post(path(), body(UUID.randomUUID(), "x")), 409, "lease_lost");
        refused(
                api.post("/api/v1/steps/step_" + UUID.randomUUID() + "/output", body(item, "x")),
                404,
                "step_not_found");
        refused(server.account().api().post(path(), body(item, "x")), 404, "step_not_found");
        server.clock().advance(Duration.ofHours(2));
        refused(write("late"), 409, "lease_lost");
        assertThat(seen("")).containsExactly("x");
    }

    @Test
    void a_lease_that_ended_writes_nothing() {
        assertThat(account.verb(item.toString(), "complete", "{\"result\":{}}").status())
                .isEqualTo(200);
        refused(write("after the end"), 409, "lease_lost");
        assertThat(seen("")).isEmpty();
    }

    @Test
    void pieces_and_steps_have_their_bounds() {
        refused(write(""), 400, "invalid_request");
        refused(write("\\u0000"), 400, "invalid_request");
        String most = "x".repeat(Outputs.PIECE_BYTES_MAX);
        refused(write(most + "x"), 400, "invalid_request");
        refused(write("ö".repeat(Outputs.PIECE_BYTES_MAX / 2 + 1)), 400, "invalid_request");
        for (int i = 0; i < 16; i++) {
            assertThat(write(most).number("/bytes_left"))
                    .isEqualTo((15 - i) * Outputs.PIECE_BYTES_MAX);
        }
        refused(write("x"), 413, "output_limit");
    }

    /// a piece that is sent again is kept once.
    @Test
    void a_repeated_piece_is_kept_once() {
        Api keyed = api.with("Idempotency-Key", "idem_123");
        Reply first = keyed.post(path(), body(item, "once"));
        Reply again = keyed.post(path(), body(item, "once"));
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.text()).isEqualTo(first.text());
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(seen("")).containsExactly("once");
        refused(keyed.post(path(), body(item, "other")), 409, "idempotency_conflict");
    }

    @Test
    void only_keys_of_workers_write() {
        Reply made =
                api.post(
                        "/v1/keys",
                        "{\"name\":\"n\",\"scopes\":[\"%s\"]}".formatted(Scope.PRODUCER.word()));
        Api producer = server.anonymous().withKey(made.text("/apiKey"));
        refused(producer.post(path(), body(item, "x")), 403, "forbidden");
    }
}
