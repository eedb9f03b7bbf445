package io.orchestrion.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orchestrion.sdk.ScriptedServer.Told;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/// What the client of `/v1/jobs`, `/v1/clients` and `/v1/webhooks` sends and how it reads answers.
@Timeout(180)
class JobsTest {
    static final UUID ID = UUID.fromString("01890000-0000-7000-8000-000000000001");
    static final String AT = "2030-01-01T00:00:00.000Z";

    static String job(String state, int attempt) {
        return """
        {"job_id":"%s","type":"EXECUTE","state":"%s","outcome":%s,"created_at":"%s",
         "execution_at":null,"updated_at":"%s","attempt":%d,"callback":null,
         "definition":{"work_kind":"SUCCESS_FAST","duration_ms":1000,"should_fail":false,
         "payload_size":4096}}
        """
                .formatted(
                        ID,
                        state,
                        state.equals("SUCCEEDED") ? "\"SUCCESS\"" : "null",
                        AT,
                        AT,
                        attempt);
    }

    static String problem(int status, String code) {
        return """
        {"type":"/problems/%1$s","title":"T","status":%2$d,"detail":"A detail.",
         "instance":"r-1","code":"%1$s"}
        """
                .formatted(code, status);
    }

    static final String SUBMITTED =
            "{\"job_id\":\"" + ID + "\",\"state\":\"QUEUED\",\"created_at\":\"" + AT + "\"}";

    @Test
    void a_submit_sends_what_was_said_and_nothing_else() {
        try (var server = new ScriptedServer(_ -> Told.of(202, SUBMITTED));
                var client = server.client("orch_live_x")) {
            SubmittedJob made =
                    client.jobs()
                            .submit(
                                    JobSubmission.deferred(Instant.parse(AT))
                                            .withWorkKind("SUCCESS_FAST")
                                            .withPayload("[1.50]")
                                            .withCallback(URI.create("http://here/x"))
                                            .withAutoRetry()
                                            .withHandler("mine")
                                            .withIdempotencyKey("order-42"));
            assertThat(made).isEqualTo(new SubmittedJob(ID, JobState.QUEUED, Instant.parse(AT)));
            var asked = server.asked.getFirst();
            assertThat(asked.path()).isEqualTo("/v1/jobs");
            assertThat(asked.body().toString())
                    .isEqualTo(
                            "{\"type\":\"DEFERRED\",\"execution_at\":\"2030-01-01T00:00:00Z\","
                                    + "\"work_kind\":\"SUCCESS_FAST\",\"payload\":[1.50],"
                                    + "\"callback\":\"http://here/x\",\"auto_retry\":true,"
                                    + "\"handler\":\"mine\"}");
            assertThat(asked.head().apply("Idempotency-Key")).isEqualTo("order-42");
            client.jobs().submit(JobSubmission.execute().withoutIdempotencyKey());
            assertThat(server.asked.getLast().body().toString())
                    .isEqualTo("{\"type\":\"EXECUTE\"}");
            assertThat(server.asked.getLast().head().apply("Idempotency-Key")).isNull();
        }
    }

    @Test
    void a_submit_without_a_key_and_a_retry_are_sent_once_and_a_cancel_until_it_is_answered() {
        try (var server =
                        new ScriptedServer(
                                asked ->
                                        asked.path().endsWith("/cancel")
                                                ? Told.of(503, problem(503, "RFA_X"))
                                                : Told.nothing());
                var client = server.client("orch_live_x")) {
            var lost =
                    catchThrowableOfType(
                            OrchestrionException.class,
                            () ->
                                    client.jobs()
                                            .submit(
                                                    JobSubmission.execute()
                                                            .withoutIdempotencyKey()));
            assertThat(lost.code()).isEqualTo(OrchestrionException.NO_ANSWER);
            catchThrowableOfType(OrchestrionException.class, () -> client.jobs().retry(ID));
            assertThat(server.paths())
                    .containsExactly("POST /v1/jobs", "POST /v1/jobs/" + ID + "/retry");
            var refused =
                    catchThrowableOfType(
                            OrchestrionException.class, () -> client.jobs().cancel(ID));
            assertThat(refused.code()).isEqualTo("RFA_X");
            assertThat(refused.requestId()).contains("r-1");
            assertThat(server.asked.size()).isGreaterThan(4);
        }
    }

    @Test
    void a_problem_document_is_an_exception_with_its_code() {
        try (var server = new ScriptedServer(_ -> Told.of(404, problem(404, "RFA_JOB_NOT_FOUND")));
                var client = server.client("orch_live_x")) {
            var e =
                    catchThrowableOfType(
                            OrchestrionException.class, () -> client.jobs().report(ID));
            assertThat(e.is("RFA_JOB_NOT_FOUND")).isTrue();
            assertThat(e.status()).isEqualTo(404);
            assertThat(e.retryable()).isFalse();
            assertThat(e).hasMessage("A detail.");
        }
    }

    @Test
    void a_job_is_looked_at_until_it_has_ended() {
        var looks = new AtomicInteger();
        String[] states = {"QUEUED", "QUEUED", "RUNNING", "SUCCEEDED"};
        try (var server =
                        new ScriptedServer(
                                _ -> Told.of(200, job(states[looks.getAndIncrement()], 1)));
                var client = server.client("orch_live_x")) {
            var seen = new ArrayList<JobState>();
            Job job =
                    client.jobs()
                            .await(ID, Duration.ofSeconds(30), each -> seen.add(each.state()))
                            .orElseThrow();
            assertThat(job.outcome()).isEqualTo("SUCCESS");
            assertThat(job.definition())
                    .isEqualTo(new Job.Definition("SUCCESS_FAST", 1000, false, 4096));
            assertThat(seen).containsExactly(JobState.QUEUED, JobState.RUNNING, JobState.SUCCEEDED);
        }
        try (var server = new ScriptedServer(_ -> Told.of(200, job("RUNNING", 1)));
                var client = server.client("orch_live_x")) {
            assertThat(client.jobs().await(ID, Duration.ofMillis(120))).isEmpty();
        }
    }

    @Test
    void a_report_has_its_events_in_order() {
        String report =
                """
                {"job_id":"%1$s","outcome":"CANCELED","started_at":"%2$s","finished_at":"%2$s",
                 "duration_ms":0,"events":[
                 {"event_id":"%1$s","job_id":"%1$s","event_name":"job.created","prev_state":null,
                  "next_state":"CREATED","timestamp":"%2$s","payload":{"scenario":"CPU_BURST"}}]}
                """
                        .formatted(ID, AT);
        try (var server = new ScriptedServer(_ -> Told.of(200, report));
                var client = server.client("orch_live_x")) {
            JobReport.Event event = client.jobs().report(ID).events().getFirst();
            assertThat(event.prevState()).isNull();
            assertThat(event.payloadJson().path("scenario").asString()).isEqualTo("CPU_BURST");
        }
    }

    @Test
    void a_lists_page_and_the_catalogue_are_read() {
        try (var server =
                        new ScriptedServer(
                                asked ->
                                        asked.path().endsWith("catalogue")
                                                ? Told.of(
                                                        200,
                                                        """
                                                        {"work_kinds":[{"name":"A","duration_ms":1,
                                                         "should_fail":true,"payload_size":2,
                                                         "expected":"FAILED","needs":"NOTHING"}]}
                                                        """)
                                                : Told.of(
                                                        200,
                                                        "{\"jobs\":["
                                                                + job("RUNNING", 2)
                                                                + "],\"next_cursor\":\"c\"}"));
                var client = server.client("orch_live_x")) {
            Jobs.Page page =
                    client.jobs()
                            .list(
                                    JobSearch.ALL
                                            .withState(JobState.RUNNING)
                                            .withOutcome("FAILED")
                                            .withLimit(3)
                                            .after("a b"));
            assertThat(page.nextCursor()).isEqualTo("c");
            assertThat(page.jobs().getFirst().attempt()).isEqualTo(2);
            assertThat(server.paths())
                    .containsExactly(
                            "GET /v1/jobs?state=RUNNING&outcome=FAILED&limit=3&cursor=a%20b");
            assertThat(client.jobs().catalogue())
                    .containsExactly(new WorkKind("A", 1, true, 2, "FAILED", "NOTHING"));
        }
    }

    @Test
    void a_client_and_its_keys_are_made_without_showing_secrets_in_logs() {
        String key =
                """
                {"api_key":"orch_live_secret","key_id":"%s","created_at":"%s","expires_at":"%s"}
                """
                        .formatted(ID, AT, AT);
        try (var server =
                        new ScriptedServer(
                                asked ->
                                        asked.path().equals("/v1/clients")
                                                ? Told.of(201, "{\"client_id\":\"" + ID + "\"}")
                                                : asked.path().endsWith("revoke")
                                                        ? Told.of(200, "{\"revoked\":true}")
                                                        : Told.of(201, key));
                var client = server.client("orch_live_x")) {
            Clients clients = client.clients();
            assertThat(clients.create("mine")).isEqualTo(ID);
            assertThat(server.asked.getFirst().head().apply("Idempotency-Key")).isEqualTo("mine");
            ClientKey made = clients.key(ID);
            assertThat(made.apiKey()).isEqualTo("orch_live_secret");
            assertThat(made.toString()).doesNotContain("secret");
            clients.rotate(ID);
            assertThat(server.asked.getLast().body().toString()).isEqualTo("{\"rotate\":true}");
            clients.renew(ID);
            assertThat(clients.revoke(ID, ID)).isTrue();
            String keys = "POST /v1/clients/" + ID + "/keys";
            assertThat(server.paths())
                    .containsExactly(
                            "POST /v1/clients", keys, keys, keys + "/renew", keys + "/revoke");
        }
    }

    @Test
    void webhooks_are_registered_paused_and_asked_what_became_of_deliveries() {
        String hook =
                """
                {"webhook_id":"%s","url":"http://x/","events":["job.failed"],"state":"paused",
                 "reason":"it failed","created_at":"%s","secret":"whsec_abcd"}
                """
                        .formatted(ID, AT);
        String delivery =
                """
                {"delivery_id":"%1$s","webhook_id":null,"job_id":"%1$s","event_id":"%1$s",
                 "event_name":"job.failed","url":"http://x/","state":"failed","created_at":"%2$s",
                 "attempts":[{"at":"%2$s","status":500,"duration_ms":3},
                             {"at":"%2$s","error":"timed out"}]}
                """
                        .formatted(ID, AT);
        try (var server =
                        new ScriptedServer(
                                asked ->
                                        asked.path().contains("/deliveries")
                                                ? Told.of(200, page(asked, delivery))
                                                : Told.of(200, hook));
                var client = server.client("orch_live_x")) {
            Webhooks hooks = client.webhooks();
            WebhookSecret made =
                    hooks.create(
                            NewWebhook.to(URI.create("http://x/"), List.of("job.failed"))
                                    .withDescription("mine"));
            assertThat(made.secret()).isEqualTo("whsec_abcd");
            assertThat(made.toString()).doesNotContain("whsec");
            assertThat(server.asked.getFirst().body().toString())
                    .isEqualTo(
                            "{\"url\":\"http://x/\",\"events\":[\"job.failed\"],"
                                    + "\"description\":\"mine\"}");
            assertThat(hooks.pause(ID).reason()).isEqualTo("it failed");
            hooks.rotateSecret(ID, Duration.ofMinutes(1));
            assertThat(server.asked.getLast().body().toString())
                    .isEqualTo("{\"overlap_seconds\":60}");
            Delivery sent = hooks.deliveries(ID, null).deliveries().getFirst();
            assertThat(sent.attempts().getFirst().status()).isEqualTo(500);
            assertThat(sent.attempts().getLast().error()).isEqualTo("timed out");
            assertThat(sent.attemptCount()).isEqualTo(2);
            assertThat(client.jobs().deliveries(ID)).as("of all pages").hasSize(2);
        }
    }

    /// Two pages of one each.
    private static String page(ScriptedServer.Asked asked, String delivery) {
        String next = asked.path().contains("cursor=") ? "null" : "\"second\"";
        return "{\"deliveries\":[" + delivery + "],\"next_cursor\":" + next + "}";
    }
}
