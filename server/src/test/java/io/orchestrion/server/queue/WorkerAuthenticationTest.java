package io.orchestrion.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/// Who is let in at the queue door, and by what.
@Timeout(180)
class WorkerAuthenticationTest extends QueueFixture {
    private static final String HEADER = "X-MoonMind-Worker-Token";
    private static final String CLAIM = QueueApi.JOBS + "/claim";

    /// Of the right form, and signed by nobody.
    private static final String JWT = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ3In0.AAAA";

    private String key(String... scopes) {
        return queue.keyed()
                .post(
                        "/v1/keys",
                        "{\"name\":\"k\",\"scopes\":[\"%s\"]}"
                                .formatted(String.join("\",\"", scopes)))
                .text("/apiKey");
    }

    /// The verbs of a worker on a job, with good bodies.
    private static Map<String, String> verbs(String job, String worker) {
        String name = "\"workerId\":\"" + worker + "\"";
        String base = QueueApi.JOBS + "/" + job;
        var verbs = new LinkedHashMap<String, String>();
        verbs.put(CLAIM, "{" + name + "}");
        verbs.put(base + "/heartbeat", "{" + name + ",\"leaseSeconds\":60}");
        verbs.put(base + "/events", "{" + name + ",\"level\":\"info\",\"message\":\"here\"}");
        verbs.put(base + "/complete", "{" + name + "}");
        verbs.put(base + "/fail", "{" + name + ",\"errorMessage\":\"no\"}");
        return verbs;
    }

    private record Held(String job, QueueApi.Worker worker) {}

    private Held held() {
        String job = queue.enqueue("t");
        QueueApi.Worker worker = queue.worker("executor-01");
        assertThat(worker.claimed()).isEqualTo(job);
        return new Held(job, worker);
    }

    /// What a refusal must leave as it is.
    private Object trace(String job) {
        return server.database()
                .rows("select w::text as row from work w where id = ?", UUID.fromString(job));
    }

    /// each verb with each bad credential.
    @Test
    void every_verb_refuses_what_is_no_good_credential_and_changes_nothing() {
        Held held = held();
        queue.enqueue("t");
        Object before = trace(held.job());
        long ready = ready();
        String good = held.worker().token();
        Api plain = queue.plain();
        Map<Api, String> strangers = new LinkedHashMap<>();
        strangers.put(plain, "queue_no_credential");
        strangers.put(plain.with("Authorization", "Basic dTpw"), "queue_no_credential");
        for (String bad :
                List.of(
                        "",
                        "x",
                        "mmwt_",
                        "mmwt_" + "0".repeat(64),
                        good.substring(0, 68),
                        good + "0",
                        good.toUpperCase(Locale.ROOT),
                        "Bearer " + good,
                        queue.key(),
                        JWT)) {
            strangers.put(plain.with(HEADER, bad), "queue_invalid_credential");
        }
        for (String bad :
                List.of("orch_live_" + "0".repeat(64), "orch_live_", "x", good, JWT, "a.b.c")) {
            strangers.put(plain.withKey(bad), "queue_invalid_credential");
        }
        verbs(held.job(), "executor-01")
                .forEach(
                        (path, body) ->
                                strangers.forEach(
                                        (api, code) -> {
                                            Reply reply = api.post(path, body);
                                            assertThat(reply.status()).as(path).isEqualTo(401);
                                            assertThat(reply.text("/code")).isEqualTo(code);
                                            assertThat(reply.header("WWW-Authenticate"))
                                                    .startsWith("Bearer");
                                        }));
        assertThat(trace(held.job())).isEqualTo(before);
        assertThat(ready()).isEqualTo(ready);
    }

    private long ready() {
        return server.database()
                .value(
                        "select count(*) from work where account_id = ? and state = 'ready'",
                        queue.account());
    }

    ///
    @Test
    void a_worker_token_opens_every_verb_of_a_worker() {
        Held held = held();
        queue.enqueue("t");
        verbs(held.job(), "executor-01")
                .forEach(
                        (path, body) -> {
                            int status = held.worker().api().post(path, body).status();
                            // It was completed just before it is to fail.
                            assertThat(status)
                                    .as(path)
                                    .isEqualTo(
                                            path.endsWith("/fail")
                                                    ? 409
                                                    : path.endsWith("/events") ? 201 : 200);
                        });
    }

    ///
    @Test
    void two_credentials_at_once_are_refused() {
        String token = queue.worker("executor-01").token();
        queue.enqueue("t");
        for (Api both :
                List.of(
                        queue.keyed().with(HEADER, token),
                        queue.plain().with(HEADER, token).withKey(JWT),
                        queue.plain().with(HEADER, token).with("Authorization", "Basic dTpw"),
                        queue.plain().with(HEADER, "").withKey(queue.key()),
                        queue.plain().with(HEADER, "x").withKey("x"))) {
            for (String path : List.of(CLAIM, QueueApi.JOBS + "/" + UUID.randomUUID() + "/fail")) {
                Reply reply =
                        both.post(path, "{\"workerId\":\"executor-01\",\"errorMessage\":\"x\"}");
                assertThat(reply.status()).isEqualTo(400);
                assertThat(reply.text("/code")).isEqualTo("queue_ambiguous_credentials");
            }
        }
        assertThat(ready()).isEqualTo(1);
    }

    /// the same header twice is no better.
    @Test
    void one_header_sent_twice_is_refused() throws IOException, InterruptedException {
        String token = queue.worker("executor-01").token();
        for (String[] header :
                new String[][] {
                    {HEADER, token, token}, {"Authorization", "Bearer " + queue.key(), "Bearer x"}
                }) {
            HttpResponse<String> reply =
                    HttpClient.newHttpClient()
                            .send(
                                    HttpRequest.newBuilder(
                                                    URI.create(
                                                            "http://127.0.0.1:"
                                                                    + server.port()
                                                                    + CLAIM))
                                            .header(header[0], header[1])
                                            .header(header[0], header[2])
                                            .POST(
                                                    BodyPublishers.ofString(
                                                            "{\"workerId\":\"executor-01\"}"))
                                            .build(),
                                    BodyHandlers.ofString());
            assertThat(reply.statusCode()).isEqualTo(400);
        }
    }

    ///
    @ParameterizedTest
    @CsvSource({
        "worker, 200",
        "producer, 403",
        "operator, 403",
        "admin, 403",
    })
    void a_key_claims_with_the_scope_of_a_worker_alone(String scope, int status) {
        queue.enqueue("t");
        Reply reply = queue.plain().withKey(key(scope)).post(CLAIM, "{\"workerId\":\"anybody\"}");
        assertThat(reply.status()).isEqualTo(status);
        if (status == 403) {
            assertThat(reply.text("/code")).isEqualTo("queue_insufficient_scope");
            assertThat(ready()).isEqualTo(1);
        }
    }

    /// on each of the verbs.
    @Test
    void a_key_of_a_worker_opens_the_verbs_of_a_worker_under_any_name_and_policy() {
        String job =
                queue.enqueue(
                        "t", "{\"repository\":\"a/b\",\"requiredCapabilities\":[\"rocket\"]}");
        Api worker = queue.plain().withKey(key("worker"));
        Api producer = queue.plain().withKey(key("producer"));
        verbs(job, "whoever")
                .forEach(
                        (path, body) -> {
                            assertThat(producer.post(path, body).status()).as(path).isEqualTo(403);
                            assertThat(worker.post(path, body).status())
                                    .as(path)
                                    .isEqualTo(
                                            path.endsWith("/fail")
                                                    ? 409
                                                    : path.endsWith("/events") ? 201 : 200);
                        });
        assertThat(queue.status(job)).isEqualTo("succeeded");
    }

    ///
    @Test
    void another_workers_name_is_refused_on_every_verb_and_changes_nothing() {
        Held held = held();
        Object before = trace(held.job());
        queue.enqueue("t");
        verbs(held.job(), "executor-02")
                .forEach(
                        (path, body) -> {
                            Reply reply = held.worker().api().post(path, body);
                            assertThat(reply.status()).as(path).isEqualTo(403);
                            assertThat(reply.text("/code")).isEqualTo("queue_wrong_worker");
                        });
        assertThat(trace(held.job())).isEqualTo(before);
        assertThat(ready()).isEqualTo(1);
        for (String close : List.of("Executor-01", "executor-01 ", "executor-0", "executor-011")) {
            assertThat(held.worker().api().post(CLAIM, "{\"workerId\":\"" + close + "\"}").status())
                    .as(close)
                    .isEqualTo(403);
        }
    }

    /// a worker that holds a job is out from the moment its token is deactivated.
    @Test
    void a_deactivated_token_opens_no_verb() {
        Held held = held();
        queue.enqueue("t");
        Object before = trace(held.job());
        queue.keyed().post("/api/queue/workers/tokens/" + held.worker().tokenId() + "/deactivate");
        verbs(held.job(), "executor-01")
                .forEach(
                        (path, body) ->
                                assertThat(held.worker().api().post(path, body).status())
                                        .as(path)
                                        .isEqualTo(401));
        assertThat(trace(held.job())).isEqualTo(before);
        assertThat(ready()).isEqualTo(1);
    }

    /// A worker's token opens nothing else, whatever there is.
    @Test
    void no_other_endpoint_of_the_door_is_open_to_a_worker_token() {
        Api worker = queue.worker("executor-01").api();
        int tried = 0;
        for (Endpoint endpoint : Doors.CATALOGUE) {
            if (!endpoint.door().equals(QueueEndpoints.DOOR)
                    || QueueEndpoints.forWorkers(endpoint)) {
                continue;
            }
            String path = endpoint.path().replaceAll("\\{[^/]*}", UUID.randomUUID().toString());
            Reply reply =
                    worker.send(endpoint.method(), path, endpoint.request() == null ? null : "{}");
            assertThat(reply.status()).as(endpoint.name()).isEqualTo(403);
            assertThat(reply.text("/code")).isEqualTo("queue_insufficient_scope");
            tried++;
        }
        assertThat(tried).isGreaterThan(7);
    }

    /// T-013: at the tasks door it is no key at all.
    @ParameterizedTest
    @ValueSource(strings = {"/v1/tasks/claim", "/v1/tasks", "/v1/keys"})
    void at_the_tasks_door_a_worker_token_or_a_jwt_is_an_invalid_key(String path) {
        QueueApi.Worker worker = queue.worker("executor-01");
        for (String sent : List.of(worker.token(), JWT)) {
            Reply reply = queue.plain().withKey(sent).post(path, "{}");
            assertThat(reply.status()).isEqualTo(401);
            assertThat(reply.error()).isEqualTo("invalid_api_key");
        }
        assertThat(worker.api().post(path, "{}").error()).isEqualTo("missing_api_key");
    }

    /// Another account's worker sees nothing of this one's jobs.
    @Test
    void a_token_is_for_the_jobs_of_its_own_account() {
        Held held = held();
        Object before = trace(held.job());
        Api stranger = QueueApi.of(server).worker("executor-01").api();
        queue.enqueue("t");
        verbs(held.job(), "executor-01")
                .forEach(
                        (path, body) -> {
                            Reply reply = stranger.post(path, body);
                            if (path.equals(CLAIM)) {
                                assertThat(reply.at("/job").isNull()).isTrue();
                            } else {
                                assertThat(reply.status()).as(path).isEqualTo(404);
                            }
                        });
        assertThat(trace(held.job())).isEqualTo(before);
    }

    /// a token in an address is taken for leaked.
    @ParameterizedTest
    @ValueSource(strings = {"token", "worker_token", "x", "access_token"})
    void a_token_in_the_address_is_refused(String parameter) {
        QueueApi.Worker worker = queue.worker("executor-01");
        Reply reply =
                worker.api()
                        .post(
                                CLAIM + "?" + parameter + "=" + worker.token(),
                                "{\"workerId\":\"executor-01\"}");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text()).doesNotContain(worker.token());
    }

    /// nor is it stored with what is said.
    @Test
    void a_token_in_a_body_is_refused_at_both_doors() {
        QueueApi.Worker worker = queue.worker("executor-01");
        String escaped = "\\u006dmwt_" + worker.token().substring(5);
        for (String token : List.of(worker.token(), escaped)) {
            Reply job =
                    queue.keyed()
                            .post(
                                    QueueApi.JOBS,
                                    "{\"type\":\"t\",\"payload\":{\"k\":\"" + token + "\"}}");
            assertThat(job.status()).isEqualTo(400);
            assertThat(job.text("/detail")).contains("worker token");
            Reply task =
                    queue.keyed()
                            .post(
                                    "/v1/tasks",
                                    "{\"type\":\"t\",\"payload\":{\"k\":\"" + token + "\"}}");
            assertThat(task.status()).isEqualTo(400);
        }
        assertThat(ready()).isZero();
    }

    /// Guessing is counted by address, as at the tasks door.
    @Test
    void bad_credentials_are_counted_by_address() {
        try (var narrow =
                new TestServer(
                        options -> options,
                        options ->
                                options.withLimits(
                                        Doors.LIMITS.with(Map.of(RateLimits.EVERYTHING, 20))))) {
            Api guessing = narrow.anonymous().with(HEADER, "mmwt_" + "1".repeat(64));
            for (int i = 0; i < 20; i++) {
                assertThat(guessing.post(CLAIM, "{\"workerId\":\"w\"}").status()).isEqualTo(401);
            }
            Reply refused = guessing.post(CLAIM, "{\"workerId\":\"w\"}");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.text("/code")).isEqualTo("queue_rate_limited");
            assertThat(Integer.parseInt(refused.header("Retry-After"))).isPositive();
        }
    }

    /// The limits of a plan are counted for each token by itself.
    @Test
    void what_a_token_may_do_in_an_hour_is_counted() {
        try (var narrow =
                new TestServer(
                        options -> options,
                        options ->
                                options.withLimits(
                                        Doors.LIMITS.with(
                                                Map.of(
                                                        RateLimits.EVERYTHING, 1_000_000,
                                                        RateLimits.QUEUE_EVENTS, 3))))) {
            var account = narrow.account("free");
            var api =
                    new QueueApi(
                            account.api(),
                            narrow.anonymous(),
                            account.key(),
                            UUID.fromString(account.accountId()));
            QueueApi.Worker one = api.worker("w");
            QueueApi.Worker two = api.worker("w");
            String job = UUID.randomUUID().toString();
            for (int i = 0; i < 3; i++) {
                assertThat(one.say(job, "x").status()).isEqualTo(404);
            }
            assertThat(one.say(job, "x").status()).isEqualTo(429);
            assertThat(two.say(job, "x").status()).isEqualTo(404);
        }
    }
}
