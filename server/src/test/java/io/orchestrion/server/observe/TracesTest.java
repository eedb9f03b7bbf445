package io.orchestrion.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.signals.DeliverySeen;
import io.orchestrion.kernel.signals.Signals;
import io.orchestrion.kernel.signals.Tracing;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.OtlpReceiver;
import io.orchestrion.testkit.OtlpReceiver.Received;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;

/// What a collector gets of a server's work.
class TracesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final OtlpReceiver COLLECTOR = new OtlpReceiver();
    private static Observer observer;
    private static TestServer server;
    private static TaskApi tasks;

    @BeforeAll
    static void start() {
        observer =
                new Observer(
                        new ObserveOptions(ObserveOptions.Detail.NONE, COLLECTOR.address(), 100),
                        "test",
                        Doors.ALL);
        server = new TestServer(options -> options.withSignals(observer));
        tasks = server.account();
    }

    @AfterAll
    static void close() {
        server.close();
        observer.close();
        COLLECTOR.close();
    }

    private static String trace(int number) {
        return "4bf92f3577b34da6a3ce929d0e0e47%02x".formatted(number);
    }

    private static TaskApi within(String trace) {
        return new TaskApi(
                tasks.api().with("traceparent", "00-" + trace + "-00f067aa0ba902b7-01"),
                tasks.key(),
                tasks.accountId());
    }

    private static List<Received> await(String trace, String... names) {
        Until.isTrue(
                "spans " + List.of(names),
                PATIENCE,
                () ->
                        COLLECTOR.ofTrace(trace).stream()
                                .map(Received::name)
                                .toList()
                                .containsAll(List.of(names)));
        return COLLECTOR.ofTrace(trace);
    }

    private static Received one(List<Received> spans, String name) {
        return spans.stream().filter(span -> span.name().equals(name)).findFirst().orElseThrow();
    }

    /// J-372 and L-035 at the tasks door: the client's trace goes on from the request to the end.
    @Test
    void a_clients_trace_goes_on_through_the_queue_to_the_end_of_the_work() {
        long began = System.nanoTime();
        String id = within(trace(1)).create("traced");
        server.clock().advance(Duration.ofSeconds(3));
        tasks.claim("traced");
        server.clock().advance(Duration.ofSeconds(2));
        tasks.verb(id, "complete", "{\"result\":{}}");
        // The seconds of this machine pass beside those of the test's clock.
        long own = (System.nanoTime() - began) / 1_000_000 + 100;
        List<Received> spans =
                await(
                        trace(1),
                        "POST /v1/tasks",
                        "tasks.enqueue",
                        "tasks.queue",
                        "tasks.assign",
                        "tasks.run",
                        "tasks.report");
        Received submit = one(spans, "POST /v1/tasks");
        assertThat(submit.parentId()).isEqualTo("00f067aa0ba902b7");
        assertThat(spans)
                .filteredOn(span -> span != submit)
                .allMatch(span -> span.parentId().equals(submit.spanId()))
                .allMatch(span -> id.equals(span.attributes().get("orchestrion.job_id")));
        assertThat(millis(one(spans, "tasks.queue"))).isBetween(2900L, 3000L + own);
        assertThat(millis(one(spans, "tasks.run"))).isBetween(1900L, 2000L + own);
    }

    private static long millis(Received span) {
        return (span.endNanos() - span.startNanos()) / 1_000_000;
    }

    /// L-035 at the queue door, J-375: a cancelled job is in its trace too.
    @Test
    void a_cancelled_job_of_the_queue_is_in_its_trace() {
        String body = "{\"type\":\"codex\",\"payload\":{}}";
        String id = within(trace(2)).api().post("/api/queue/jobs", body).text("/id");
        assertThat(tasks.api().post("/api/queue/jobs/" + id + "/cancel").status()).isEqualTo(200);
        List<Received> spans = await(trace(2), "queue.enqueue", "queue.cancel", "queue.report");
        assertThat(one(spans, "POST /api/queue/jobs").attributes())
                .containsEntry("orchestrion.door", "queue");
    }

    /// J-373: each try again is in the trace, and what failed says so.
    @Test
    void a_retry_is_in_the_trace_of_what_failed() {
        String id = within(trace(3)).create("fails", "\"maxAttempts\":1");
        tasks.claim("fails");
        tasks.verb(id, "fail", "{\"reason\":\"no luck\"}");
        assertThat(tasks.verb(id, "requeue").status()).isEqualTo(200);
        List<Received> spans = await(trace(3), "tasks.run", "tasks.retry");
        assertThat(one(spans, "tasks.run").failed()).isTrue();
        assertThat(one(spans, "tasks.retry").attributes())
                .containsEntry("orchestrion.event", "reopen");
    }

    /// J-376.
    @Test
    void making_and_revoking_a_key_are_spans() {
        String made =
                within(trace(4)).api().post("/v1/keys", "{\"name\":\"short\"}").text("/key/id");
        within(trace(4)).api().send("DELETE", "/v1/keys/" + made, null);
        await(trace(4), "POST /v1/keys", "DELETE /v1/keys/{id}");
    }

    /// T-005, Q-012: wherever a key or a worker's token is put.
    @Test
    void no_span_holds_a_key_or_a_token() {
        Api traced = within(trace(9)).api();
        String made = traced.post("/v1/keys", "{\"name\":\"n\"}").text("/apiKey");
        String token =
                traced.post("/api/queue/workers/tokens", "{\"workerId\":\"w\"}").text("/token");
        List<String> secrets = List.of(tasks.key(), made, token);
        assertThat(secrets).doesNotContain("");
        String claim = "/api/queue/jobs/claim";
        for (String secret : secrets) {
            traced.withKey(secret).get("/v1/tasks");
            traced.withKey(secret + "0").get("/v1/tasks");
            traced.get("/v1/tasks?token=" + secret);
            traced.get("/v1/tasks/" + secret);
            traced.post("/v1/tasks", "{\"type\":\"" + secret + "\",\"payload\":{}}");
            traced.with("Idempotency-Key", secret)
                    .post("/v1/tasks", "{\"type\":\"t\",\"payload\":{}}");
            traced.with("X-Request-Id", secret).get("/v1/tasks");
            server.anonymous()
                    .with("traceparent", "00-" + trace(9) + "-00f067aa0ba902b7-01")
                    .with("X-MoonMind-Worker-Token", secret)
                    .post(claim, "{\"workerId\":\"w\"}");
        }
        traced.get("/v1/keys");
        List<Received> spans =
                await(trace(9), "POST /v1/keys", "POST " + claim, "GET /v1/tasks", "GET /v1/keys");
        for (String secret : secrets) {
            String piece = secret.substring(20, 36);
            assertThat(spans).noneMatch(span -> span.toString().contains(piece));
        }
    }

    /// J-374.
    @Test
    void a_delivery_is_in_the_trace_of_what_it_tells_of() {
        observer.delivery(
                new DeliverySeen(
                        UUID.randomUUID(),
                        UUID.randomUUID(),
                        UUID.randomUUID(),
                        UUID.randomUUID(),
                        "job.succeeded",
                        2,
                        "failed",
                        503,
                        1_000,
                        40,
                        "answered 503",
                        "00-" + trace(5) + "-00f067aa0ba902b7-01"));
        Received span = one(await(trace(5), "webhook.deliver"), "webhook.deliver");
        assertThat(span.failed()).isTrue();
        assertThat(millis(span)).isEqualTo(40);
    }

    @Test
    void what_the_client_does_not_keep_is_not_kept_and_what_cannot_be_read_begins_a_trace() {
        tasks.api()
                .with("traceparent", "00-" + trace(6) + "-00f067aa0ba902b7-00")
                .post("/v1/tasks", "{\"type\":\"quiet\",\"payload\":{}}");
        tasks.api()
                .with("traceparent", "00-" + "0".repeat(32) + "-00f067aa0ba902b7-01")
                .post("/v1/tasks", "{\"type\":\"fresh\",\"payload\":{}}");
        Predicate<Received> fresh =
                span ->
                        span.name().equals("tasks.enqueue")
                                && "fresh".equals(span.attributes().get("orchestrion.kind"));
        Until.isTrue(
                "a trace of its own", PATIENCE, () -> COLLECTOR.spans().stream().anyMatch(fresh));
        assertThat(COLLECTOR.ofTrace(trace(6))).isEmpty();
        assertThat(COLLECTOR.ofTrace("0".repeat(32))).isEmpty();
    }

    @Test
    void a_span_of_a_runner_is_within_the_trace_it_was_given() {
        try (Tracing.Span span =
                observer.tracing()
                        .start(
                                "jobs.execute",
                                "00-" + trace(7) + "-00f067aa0ba902b7-01",
                                Map.of("scenario", "QUICK_SUCCESS"))) {
            assertThat(span.traceparent()).startsWith("00-" + trace(7));
            span.link("00-" + trace(1) + "-00f067aa0ba902b7-01");
            span.failed("it broke");
        }
        Received received = one(await(trace(7), "jobs.execute"), "jobs.execute");
        assertThat(received.links()).containsExactly(trace(1));
        assertThat(received.failed()).isTrue();
    }

    @Test
    void a_collector_that_is_away_costs_spans_and_nothing_else() {
        try (var alone =
                new Observer(
                        new ObserveOptions(
                                ObserveOptions.Detail.NONE, URI.create("http://127.0.0.1:1"), 100),
                        "test",
                        Doors.ALL)) {
            alone.tracing().start("lost", null, Map.of()).close();
            Until.isTrue(
                    "the loss is counted",
                    PATIENCE,
                    () -> alone.metrics().scrape(null).contains("spans_dropped_total 1.0"));
        }
    }

    @Test
    void without_a_collector_the_clients_context_is_kept_with_the_work_all_the_same() {
        try (var plain = new TestServer(options -> options.withSignals(Signals.NONE))) {
            TaskApi api = plain.account();
            String sent = "00-" + trace(8) + "-00f067aa0ba902b7-01";
            api.api()
                    .with("traceparent", sent)
                    .post("/v1/tasks", "{\"type\":\"t\",\"payload\":{}}");
            assertThat(plain.database().<String>value("select trace from work")).isEqualTo(sent);
            assertThat(Tracing.NONE.start("x", sent, Map.of()).traceparent()).isEqualTo(sent);
        }
    }
}
