package io.orchestrion.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orchestrion.sdk.ScriptedServer.Told;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// What the client of the queue sends and how it reads the answers.
@Timeout(180)
class JobQueueTest {
    static final UUID ID = UUID.fromString("01890000-0000-7000-8000-000000000001");
    static final UUID TOKEN = UUID.fromString("01890000-0000-7000-8000-00000000000a");

    static String job(String status, String more) {
        return """
        {"id":"%s","type":"t","status":"%s","priority":3,"attempt":1,"maxAttempts":3,
         "nextAttemptAt":null,"createdAt":"2030-01-01T00:00:00.000Z",
         "updatedAt":"2030-01-01T00:00:01.000Z"%s}
        """
                .formatted(ID, status, more);
    }

    static ClaimedJob claimed() {
        QueueJob job = QueueWire.job(Json.tree(job("running", "")));
        return new ClaimedJob(job, "w-1", TOKEN, Duration.ofSeconds(60));
    }

    @Test
    void a_claim_asks_for_what_the_worker_can_do_and_reads_the_lease() {
        String answer =
                "{\"job\":"
                        + job(
                                "running",
                                ",\"leaseToken\":\"" + TOKEN + "\",\"payload\":{\"a\":1.50}")
                        + "}";
        try (var server = new ScriptedServer(_ -> Told.of(200, answer));
                var client = server.client("mmwt_secret")) {
            var claim =
                    new JobClaim(
                            "w-1",
                            Duration.ofSeconds(90),
                            Set.of("b", "a"),
                            Set.of("git"),
                            Duration.ofSeconds(8));
            ClaimedJob claimed = client.queue().claim(claim).orElseThrow();
            assertThat(claimed.leaseToken()).isEqualTo(TOKEN);
            assertThat(claimed.lease()).isEqualTo(Duration.ofSeconds(90));
            assertThat(claimed.job().payload()).isEqualTo("{\"a\":1.50}");
            assertThat(claimed.toString()).doesNotContain(TOKEN.toString());
            var asked = server.asked.getFirst();
            assertThat(asked.path()).isEqualTo("/api/queue/jobs/claim");
            assertThat(asked.body().toString())
                    .isEqualTo(
                            "{\"workerId\":\"w-1\",\"leaseSeconds\":90,\"allowedTypes\":[\"a\",\"b\"],"
                                + "\"workerCapabilities\":[\"git\"],\"waitSeconds\":8}");
            assertThat(asked.head().apply("X-MoonMind-Worker-Token")).isEqualTo("mmwt_secret");
            assertThat(asked.head().apply("Authorization")).isNull();
        }
    }

    @Test
    void what_is_not_set_is_not_sent_and_nothing_is_an_answer() {
        try (var server = new ScriptedServer(_ -> Told.of(200, "{\"job\":null}"));
                var client = server.client("a.b.c")) {
            assertThat(client.queue().claim(JobClaim.by("w"))).isEqualTo(Optional.empty());
            var asked = server.asked.getFirst();
            assertThat(asked.body().toString())
                    .isEqualTo("{\"workerId\":\"w\",\"leaseSeconds\":120}");
            assertThat(asked.head().apply("Authorization")).isEqualTo("Bearer a.b.c");
        }
    }

    @Test
    void a_problem_document_becomes_an_exception_with_its_code() {
        try (var server =
                        new ScriptedServer(_ -> Told.problem(403, "queue_wrong_worker").after(7));
                var client = server.client("k")) {
            OrchestrionException e = refusal(() -> client.queue().claim(JobClaim.by("w")));
            assertThat(e.code()).isEqualTo("queue_wrong_worker");
            assertThat(e.status()).isEqualTo(403);
            assertThat(e.getMessage()).isEqualTo("A detail.");
            assertThat(e.requestId()).contains("r-1");
            assertThat(e.retryable()).isFalse();
            assertThat(e.retryAfterSeconds()).hasValue(7);
        }
    }

    private static OrchestrionException refusal(Runnable asking) {
        return catchThrowableOfType(OrchestrionException.class, asking::run);
    }

    @Test
    void an_outcome_is_sent_again_and_a_claim_is_not() {
        var left = new AtomicInteger(2);
        try (var server =
                        new ScriptedServer(
                                _ ->
                                        left.getAndDecrement() > 0
                                                ? Told.problem(503, "queue_overloaded")
                                                : Told.of(200, job("succeeded", "")));
                var client = server.client("k")) {
            assertThat(client.queue().complete(claimed(), "fine").status())
                    .isEqualTo(JobStatus.SUCCEEDED);
            assertThat(server.asked).hasSize(3);
            assertThat(server.asked.getLast().body().toString())
                    .isEqualTo(
                            "{\"workerId\":\"w-1\",\"leaseToken\":\""
                                    + TOKEN
                                    + "\",\"resultSummary\":\"fine\"}");
            left.set(1);
            refusal(() -> client.queue().claim(JobClaim.by("w")));
            assertThat(server.asked).hasSize(4);
        }
    }

    @Test
    void a_refusal_after_a_lost_answer_is_looked_into() {
        try (var server =
                        new ScriptedServer(
                                asked ->
                                        asked.method().equals("GET")
                                                ? Told.of(
                                                        200,
                                                        job("queued", ",\"errorMessage\":\"no\""))
                                                : first(asked)
                                                        ? Told.nothing()
                                                        : Told.problem(409, "queue_wrong_status"));
                var client = server.client("k")) {
            assertThat(client.queue().fail(claimed(), "no", true).status())
                    .isEqualTo(JobStatus.QUEUED);
            OrchestrionException e = refusal(() -> client.queue().fail(claimed(), "another", true));
            assertThat(e.code()).isEqualTo("queue_wrong_status");
        }
    }

    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    private boolean first(ScriptedServer.Asked asked) {
        return seen.add(asked.body().path("errorMessage").asString());
    }

    @Test
    void a_log_is_followed_to_the_end_of_the_job() {
        var looks = new AtomicInteger();
        var pages =
                List.of(
                        page(event(1, "one", "null"), event(2, "two", "null")),
                        page(),
                        page(event(3, "three", "null")),
                        page(event(4, "beat", "\"heartbeat\"")),
                        page(event(5, "done", "\"complete\"")),
                        page(event(6, "late", "null")),
                        page());
        try (var server =
                        new ScriptedServer(
                                asked ->
                                        asked.path().contains("/events")
                                                ? Told.of(200, pages.get(looks.getAndIncrement()))
                                                : Told.of(
                                                        200,
                                                        job(
                                                                looks.get() < 5
                                                                        ? "running"
                                                                        : "succeeded",
                                                                "")));
                var client = server.client("k")) {
            var messages = new ArrayList<String>();
            QueueJob ended =
                    client.queue().follow(ID, null, event -> messages.add(event.message()));
            assertThat(ended.status()).isEqualTo(JobStatus.SUCCEEDED);
            assertThat(messages).containsExactly("one", "two", "three", "beat", "done", "late");
            assertThat(server.paths())
                    .contains("GET /api/queue/jobs/" + ID + "/events?after=c2&waitSeconds=15");
        }
    }

    static String event(int n, String message, String happened) {
        return """
        {"id":"01890000-0000-7000-8000-000001%06d","jobId":"%s","level":"info",
         "message":"%s","payload":null,"createdAt":"%s","workerId":"w-1","event":%s}
        """
                .formatted(n, ID, message, Instant.ofEpochMilli(1_893_456_000_000L + n), happened);
    }

    private static String page(String... events) {
        int last =
                events.length == 0
                        ? 0
                        : Integer.parseInt(
                                events[events.length - 1].replaceAll(
                                        "(?s).*?-000001(\\d{6})\".*", "$1"));
        return "{\"items\":["
                + String.join(",", events)
                + "],\"nextCursor\":\"c"
                + last
                + "\",\"hasMore\":false}";
    }
}
