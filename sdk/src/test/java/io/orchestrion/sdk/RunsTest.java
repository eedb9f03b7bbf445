package io.orchestrion.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orchestrion.sdk.ScriptedServer.Asked;
import io.orchestrion.sdk.ScriptedServer.Told;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/// What the client of `/api/v1` sends, what of it it sends again, and how it reads answers.
@Timeout(180)
class RunsTest {
    private static final String UUID_TEXT = "01890000-0000-7000-8000-000000000001";
    private static final String RUN = "run_" + UUID_TEXT;
    private static final String AT = "2030-01-01T00:00:00.000Z";

    private static String run(String status, String more) {
        return """
        {"id":"%1$s","run_id":"%1$s","org_id":"o","name":"n","task":"t","status":"%2$s",
         "attempt_number":2,"credits_reserved":100.00,"credits_charged":0.250001,
         "credits_refunded":0,"steps_in_flight":1,"step_count":3,"created_at":"%3$s",
         "started_at":null,"completed_at":null,"last_error_code":"c","last_error":"e",
         "escalated":true,"escalation_ticket_id":"ticket_1",
         "waits_for":{"on":"retry","id":null,"until":"%3$s","type":null}%4$s}
        """
                .formatted(RUN, status, AT, more);
    }

    private static String node(String level, String id) {
        return """
        {"level":"%s","id":"%s","parent_id":"p","sequence_number":4,"name":"N","status":"running",
         "tool":"search","attempts":2,"created_at":"%3$s","started_at":"%3$s","ended_at":null,
         "tokens":41,"credits_charged":0.1,"error":"late","waits_for":{"on":"worker","id":null,"until":null,
         "type":"search"}}
        """
                .formatted(level, id, AT);
    }

    private static String piece(long seq, String text) {
        return """
        id: %1$d
        event: output
        data: {"seq":%1$d,"run_id":"r","step_id":"s","attempt_id":"a","channel":"stdout","text":"%2$s","at":"%3$s"}

        """
                .formatted(seq, text, AT);
    }

    private static String artifact() {
        return """
        {"id":"artifact_1","run_id":"%s","name":"a.txt","content_type":"text/plain","state":"ready",
         "size":3,"checksum":"ab","expires_at":null}
        """
                .formatted(RUN);
    }

    private interface WithClient {
        void run(ScriptedServer server, OrchestrionClient client) throws IOException;
    }

    private static void with(Function<Asked, Told> script, WithClient test) {
        try (var server = new ScriptedServer(script);
                var client = server.client("orch_live_x")) {
            test.run(server, client);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Hangs up on the first request of each kind, and answers the next one.
    private static Function<Asked, Told> answeringLate(String answer) {
        Set<String> before = ConcurrentHashMap.newKeySet();
        return asked ->
                before.add(asked.method() + asked.path()) ? Told.nothing() : Told.of(200, answer);
    }

    @Test
    void a_run_is_read_with_what_it_waits_for_and_what_it_costs() {
        with(
                _ -> Told.of(200, run("paused", "")),
                (server, client) -> {
                    Run run = client.runs().get(RUN);
                    assertThat(server.paths()).containsExactly("GET /api/v1/runs/" + RUN);
                    assertThat(run.status()).isEqualTo(RunStatus.PAUSED);
                    assertThat(run.attemptNumber()).isEqualTo(2);
                    assertThat(run.creditsReserved()).isEqualByComparingTo("100");
                    assertThat(run.creditsCharged()).isEqualTo(new BigDecimal("0.250001"));
                    assertThat(run.waitsFor())
                            .isEqualTo(new RunWaitsFor("retry", null, Instant.parse(AT), null));
                    assertThat(run.escalated()).isTrue();
                    assertThat(run.escalationId()).isEqualTo("ticket_1");
                    assertThat(run.lastErrorCode()).isEqualTo("c");
                    assertThat(run.completedAt()).isNull();
                });
    }

    @Test
    void every_change_is_sent_again_under_the_same_key_after_a_lost_answer() {
        List<Consumer<Runs>> changes =
                List.of(
                        runs -> runs.create(NewRun.of("n", "t").build()),
                        runs -> runs.start(RUN),
                        runs -> runs.pause(RUN, "r"),
                        runs -> runs.resume(RUN, null),
                        runs -> runs.cancel(RUN, null),
                        runs -> runs.retry(RUN, null));
        for (Consumer<Runs> change : changes) {
            with(
                    answeringLate(run("running", "")),
                    (server, client) -> {
                        change.accept(client.runs());
                        assertThat(server.asked).hasSize(2);
                        List<String> keys =
                                server.asked.stream()
                                        .map(asked -> asked.head().apply("Idempotency-Key"))
                                        .toList();
                        assertThat(keys.getFirst()).isNotBlank().isEqualTo(keys.getLast());
                    });
        }
    }

    @Test
    void an_order_says_its_reason() {
        with(
                _ -> Told.of(200, run("paused", "")),
                (server, client) -> {
                    client.runs().pause(RUN, "lunch");
                    client.runs().cancel(RUN, null);
                    assertThat(server.asked.getFirst().body().toString())
                            .isEqualTo("{\"reason\":\"lunch\"}");
                    assertThat(server.asked.getLast().body().toString()).isEqualTo("{}");
                    assertThat(server.paths().getLast())
                            .isEqualTo("POST /api/v1/runs/" + RUN + "/cancel");
                });
    }

    /// The first delete arrived, and its answer did not: the 404 of the second is no news.
    @Test
    void a_delete_that_had_arrived_is_told_as_done() {
        Set<String> before = ConcurrentHashMap.newKeySet();
        with(
                asked ->
                        before.add(asked.path())
                                ? Told.nothing()
                                : Told.of(
                                        404,
                                        "{\"error\":\"run_not_found\",\"message\":\"M.\","
                                                + "\"request_id\":\"r\"}"),
                (server, client) -> {
                    assertThat(client.runs().delete(RUN)).isFalse();
                    assertThat(server.asked).hasSize(2);
                });
    }

    @Test
    void a_delete_answers_without_a_body() {
        with(_ -> Told.of(200, ""), (_, client) -> assertThat(client.runs().delete(RUN)).isTrue());
    }

    @Test
    void the_nodes_of_a_tree_are_read_page_by_page() {
        with(
                asked ->
                        Told.of(
                                200,
                                run(
                                        "running",
                                        ",\"tree\":["
                                                + (asked.path().contains("cursor=c1")
                                                        ? node("step", "step_1")
                                                        : node("agent", "agent_1")
                                                                + ","
                                                                + node("task", "rtask_1"))
                                                + "],\"tree_next_cursor\":"
                                                + (asked.path().contains("cursor=c1")
                                                        ? "null"
                                                        : "\"c1\""))),
                (server, client) -> {
                    var ids = new ArrayList<String>();
                    for (RunNode node : client.runs().nodes(RUN)) {
                        ids.add(node.id());
                        assertThat(node.creditsCharged()).isEqualByComparingTo("0.1");
                        assertThat(node.tokens()).isEqualTo(41);
                        assertThat(node.waitsFor())
                                .isEqualTo(new RunWaitsFor("worker", null, null, "search"));
                    }
                    assertThat(ids).containsExactly("agent_1", "rtask_1", "step_1");
                    assertThat(server.paths())
                            .containsExactly(
                                    "GET /api/v1/runs/" + RUN + "?expand=tree",
                                    "GET /api/v1/runs/" + RUN + "?expand=tree&cursor=c1");
                });
    }

    @Test
    void output_is_read_from_a_place_on_and_the_last_place_is_told() {
        with(
                _ -> Told.of(200, "retry: 1000\nid: 4\n\n" + piece(5, "a") + piece(7, "b")),
                (server, client) -> {
                    var text = new StringBuilder();
                    long last =
                            client.runs()
                                    .output(
                                            RUN,
                                            OutputQuery.ALL.ofStep("step_1").after(4),
                                            piece -> text.append(piece.text()));
                    assertThat(text.toString()).isEqualTo("ab");
                    assertThat(last).isEqualTo(7);
                    assertThat(server.paths())
                            .containsExactly(
                                    "GET /api/v1/runs/"
                                            + RUN
                                            + "/stream?after=4&step_id=step_1&seconds=0");
                });
    }

    /// What was written between the last look and the end of the run is read too.
    @Test
    void output_is_followed_until_the_run_has_ended_and_once_more() {
        var looks = new ArrayList<String>();
        with(
                asked -> {
                    if (asked.path().contains("/stream")) {
                        boolean last = asked.path().contains("seconds=0");
                        return Told.of(200, "id: 0\n\n" + piece(last ? 2 : 1, last ? "b" : "a"));
                    }
                    looks.add(asked.path());
                    return Told.of(200, run(looks.size() == 1 ? "running" : "failed", ""));
                },
                (_, client) -> {
                    var text = new StringBuilder();
                    boolean ended =
                            client.runs()
                                    .followOutput(
                                            RUN,
                                            OutputQuery.ALL,
                                            Duration.ofMinutes(1),
                                            piece -> text.append(piece.text()));
                    assertThat(ended).isTrue();
                    assertThat(text.toString()).isEqualTo("ab");
                });
    }

    @Test
    void a_file_is_uploaded_with_its_length_and_again_under_its_key_after_a_lost_answer(
            @TempDir Path place) throws IOException {
        Path file = Files.writeString(place.resolve("a.txt"), "{\"n\":1}");
        with(
                answeringLate(artifact()),
                (server, client) -> {
                    RunArtifact made =
                            client.runs()
                                    .artifacts()
                                    .upload(
                                            RUN,
                                            NewArtifact.named("a b.txt")
                                                    .withType("text/plain")
                                                    .ofStep("step_1")
                                                    .withSha256("ab"),
                                            file);
                    assertThat(made.size()).isEqualTo(3);
                    assertThat(server.asked).hasSize(2);
                    for (Asked asked : server.asked) {
                        assertThat(asked.path())
                                .isEqualTo(
                                        "/api/v1/runs/"
                                                + RUN
                                                + "/artifacts?name=a%20b.txt&step_id=step_1"
                                                + "&sha256=ab");
                        assertThat(asked.head().apply("Content-Type")).isEqualTo("text/plain");
                        assertThat(asked.head().apply("Content-Length")).isEqualTo("7");
                        assertThat(asked.body().toString()).isEqualTo("{\"n\":1}");
                    }
                    assertThat(server.asked.getFirst().head().apply("Idempotency-Key"))
                            .isEqualTo(server.asked.getLast().head().apply("Idempotency-Key"));
                });
    }

    /// What was read of it is gone.
    @Test
    void a_stream_is_uploaded_once() {
        with(
                _ -> Told.nothing(),
                (server, client) -> {
                    var content = new ByteArrayInputStream("{}".getBytes(StandardCharsets.UTF_8));
                    var lost =
                            catchThrowableOfType(
                                    OrchestrionException.class,
                                    () ->
                                            client.runs()
                                                    .artifacts()
                                                    .upload(RUN, NewArtifact.named("a"), content));
                    assertThat(lost.code()).isEqualTo(OrchestrionException.NO_ANSWER);
                    assertThat(server.asked).hasSize(1);
                });
    }

    @Test
    void a_refused_download_leaves_no_file(@TempDir Path place) {
        with(
                _ ->
                        Told.of(
                                410,
                                "{\"error\":\"artifact_expired\",\"message\":\"M.\","
                                        + "\"request_id\":\"r\"}"),
                (_, client) -> {
                    Path to = place.resolve("a");
                    var gone =
                            catchThrowableOfType(
                                    OrchestrionException.class,
                                    () -> client.runs().artifacts().download("artifact_1", to));
                    assertThat(gone.code()).isEqualTo("artifact_expired");
                    assertThat(place).isEmptyDirectory();
                });
    }

    @Test
    void a_grant_is_repeated_as_its_key_makes_it_one() {
        with(
                answeringLate(
                        """
                        {"id":"entry_1","seq":3,"transaction_type":"grant","amount":12.5,
                         "run_id":null,"refund_kind":null,"created_at":"%s"}
                        """
                                .formatted(AT)),
                (server, client) -> {
                    LedgerEntry made =
                            client.runs().admin().grant("o", new BigDecimal("12.50"), "k", null);
                    assertThat(made.sequence()).isEqualTo(3);
                    assertThat(server.asked).hasSize(2);
                    assertThat(server.asked.getLast().body().toString())
                            .isEqualTo(
                                    "{\"org_id\":\"o\",\"amount\":12.50,"
                                            + "\"idempotency_key\":\"k\"}");
                });
    }

    private static Task task(String payload) {
        Task[] task = new Task[1];
        with(
                _ ->
                        Told.of(
                                200,
                                """
                                {"task":{"id":"%1$s","type":"search","status":"claimed","priority":5,
                                 "attemptCount":1,"maxAttempts":1,"leaseDurationSeconds":60,
                                 "createdAt":"%2$s","updatedAt":"%2$s","payload":%3$s},
                                 "agent_contract":{"version":"1","retryable":true,
                                 "next_actions":[]}}
                                """
                                        .formatted(UUID_TEXT, AT, payload)),
                (_, client) -> task[0] = client.get(UUID.fromString(UUID_TEXT)));
        return task[0];
    }

    private static String payload(String tool, String input) {
        return """
        {"org_id":"o","run_id":"%s","agent_id":"agent_1","task_id":"rtask_1","step_id":"step_1",
         "step_attempt_id":"att_1","name":"look","tool":"%s","attempt_number":2,
         "idempotency_key":"k","timeout_ms":30000,"deadline_at":null,"max_tokens":700,
         "input":%s,"outputs":{}}
        """
                .formatted(RUN, tool, input);
    }

    @Test
    void a_worker_reads_the_step_of_a_run() {
        ClaimedStep step = ClaimedStep.of(task(payload("search", "{\"q\":1}")));
        assertThat(step.runId()).isEqualTo(RUN);
        assertThat(step.attemptId()).isEqualTo("att_1");
        assertThat(step.timeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(step.maxTokens()).isEqualTo(700);
        assertThat(step.deadlineAt()).isNull();
        assertThat(step.input().path("q").asInt()).isEqualTo(1);
        assertThat(step.planning()).isFalse();
        assertThatThrownBy(() -> PlanRequest.of(step)).hasMessageContaining("asks for no plan");
        assertThatThrownBy(() -> ClaimedStep.of(task("{\"n\":1}")))
                .hasMessage("task " + UUID_TEXT + " is no step of a run");
    }

    @Test
    void a_planner_reads_what_it_is_asked() {
        var first =
                PlanRequest.of(
                        ClaimedStep.of(
                                task(
                                        payload(
                                                "run_plan",
                                                "{\"task\":\"T\",\"max_agents\":3,"
                                                        + "\"replan_count\":0}"))));
        assertThat(first.ofRun()).isTrue();
        assertThat(first.task()).isEqualTo("T");
        assertThat(first.maxAgents()).isEqualTo(3);
        assertThat(first.previousDecomposition().isMissingNode()).isTrue();
        var round =
                PlanRequest.of(
                        ClaimedStep.of(
                                task(
                                        payload(
                                                "agent_plan",
                                                "{\"task\":\"T\",\"subtask\":\"S\","
                                                        + "\"round\":2}"))));
        assertThat(round.ofRun()).isFalse();
        assertThat(round.subtask()).isEqualTo("S");
        assertThat(round.round()).isEqualTo(2);
    }
}
