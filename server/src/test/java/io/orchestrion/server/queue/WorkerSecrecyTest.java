package io.orchestrion.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.oidc.LocalIssuer;
import io.orchestrion.server.oidc.LocalIssuer.SigningKey;
import io.orchestrion.server.oidc.OidcOptions;
import io.orchestrion.server.tasks.CapturedLog;
import io.orchestrion.server.tasks.Storage;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Worker tokens and JWTs in every place where somebody might put one, and then a search for them
/// in every place.
class WorkerSecrecyTest {
    private static final String HEADER = "X-MoonMind-Worker-Token";

    private static final List<String> SECRETS = new ArrayList<>();
    private static final List<Reply> REPLIES = new ArrayList<>();
    private static LocalIssuer issuer;
    private static TestServer server;
    private static String jwt;
    private static List<String> logged;
    private static List<String> driverLogged;

    @BeforeAll
    static void run() {
        SigningKey key = SigningKey.rsa("one");
        issuer = new LocalIssuer(key);
        server =
                new TestServer(
                        options -> options,
                        options ->
                                options.withOidc(
                                        new OidcOptions(
                                                issuer.url(),
                                                List.of("orchestrion"),
                                                null,
                                                Duration.ZERO,
                                                Duration.ofDays(1),
                                                OidcOptions.Claims.DEFAULT,
                                                Identity.LOCAL_ACCOUNT,
                                                Map.of(),
                                                OidcOptions.Pace.DEFAULT)));
        try (var log = new CapturedLog()) {
            tour(key);
            logged = log.lines();
            driverLogged = log.driverLines();
        }
    }

    @AfterAll
    static void stop() {
        server.close();
        issuer.close();
    }

    private static Reply kept(Reply reply) {
        REPLIES.add(reply);
        return reply;
    }

    private static String secret(Reply made) {
        kept(made);
        assertThat(made.text("/token")).startsWith("mmwt_");
        SECRETS.add(made.text("/token"));
        return made.text("/token");
    }

    private static void tour(SigningKey key) {
        QueueApi queue = QueueApi.of(server);
        String tokens = "/api/queue/workers/tokens";
        Reply made = queue.keyed().post(tokens, "{\"workerId\":\"w\"}");
        String first = secret(made);
        String id = made.text("/id");
        String second = secret(queue.keyed().post(tokens + "/" + id + "/rotate", "{}"));
        String off = secret(queue.keyed().post(tokens, "{\"workerId\":\"w\"}"));
        String offId = queue.keyed().get(tokens).text("/items/0/id");
        kept(queue.keyed().post(tokens + "/" + offId + "/deactivate"));
        long now = server.kernel().kernel().database().transaction(tx -> tx.nowMillis()) / 1000;
        jwt =
                LocalIssuer.token(
                        "{\"iss\":\"%s\",\"aud\":\"orchestrion\",\"sub\":\"w\",\"exp\":%d}"
                                .formatted(issuer.url(), now + 600),
                        key,
                        "RS256");
        List<Api> credentials =
                List.of(
                        queue.plain().with(HEADER, first),
                        queue.plain().with(HEADER, second),
                        queue.plain().with(HEADER, off),
                        queue.plain().with(HEADER, second).withKey(jwt),
                        queue.plain().withKey(second),
                        queue.plain().withKey(jwt),
                        queue.plain().withKey(jwt.substring(0, jwt.length() - 3)),
                        queue.plain().with(HEADER, jwt));
        for (Api api : credentials) {
            for (Endpoint endpoint : Doors.CATALOGUE) {
                if (!endpoint.door().equals(QueueEndpoints.DOOR)) {
                    continue;
                }
                String path = endpoint.path().replaceAll("\\{[^/]*}", UUID.randomUUID().toString());
                String body =
                        endpoint.request() == null
                                ? null
                                : "{\"workerId\":\"w\",\"errorMessage\":\"x\",\"message\":\"x\",\"level\":\"info\"}";
                kept(api.send(endpoint.method(), path, body));
            }
        }
        Api worker = queue.plain().with(HEADER, second);
        kept(worker.post(QueueApi.JOBS + "/claim?token=" + second, "{\"workerId\":\"w\"}"));
        kept(worker.post(QueueApi.JOBS + "/claim", "{\"workerId\":\"" + second + "\"}"));
        kept(worker.post(QueueApi.JOBS + "/claim", "{\"workerId\":\"" + second.substring(0, 40)));
        kept(worker.post(QueueApi.JOBS + "/" + second + "/complete", "{\"workerId\":\"w\"}"));
        kept(worker.post("/api/queue/" + second, "{}"));
        kept(queue.keyed().get(tokens + "/" + second));
        kept(queue.keyed().get(tokens + "?workerId=" + second));
        kept(queue.keyed().post(tokens, "{\"workerId\":\"" + second + "\"}"));
        kept(queue.keyed().post(tokens, "{\"workerId\":\"w\",\"description\":\"" + second + "\"}"));
        kept(
                queue.keyed()
                        .post(
                                "/v1/tasks",
                                "{\"type\":\"t\",\"payload\":{\"x\":\"" + second + "\"}}"));
        kept(
                queue.keyed()
                        .with("Idempotency-Key", second)
                        .post("/v1/tasks", "{\"type\":\"t\",\"payload\":{}}"));
        String job = queue.enqueue("t");
        kept(worker.post(QueueApi.JOBS + "/claim", "{\"workerId\":\"w\"}"));
        kept(
                worker.post(
                        QueueApi.JOBS + "/" + job + "/events",
                        "{\"workerId\":\"w\",\"level\":\"info\",\"message\":\"" + second + "\"}"));
        kept(worker.post(QueueApi.JOBS + "/" + job + "/complete", "{\"workerId\":\"w\"}"));
        kept(queue.keyed().get(QueueApi.JOBS + "/" + job + "/events"));
        kept(queue.keyed().get("/v1/audit"));
        server.kernel().kernel().sweepOnce("worker-token-use");
        server.kernel().kernel().sweepOnce("worker-token-purger");
    }

    private static List<String> pieces(String secret) {
        var pieces = new ArrayList<String>();
        for (int i = 5; i + 16 <= secret.length(); i += 16) {
            pieces.add(secret.substring(i, i + 16));
        }
        return pieces;
    }

    private static void holdsNoSecret(String what, List<String> texts) {
        for (String secret : SECRETS) {
            for (String piece : pieces(secret)) {
                assertThat(texts).as(what).noneMatch(text -> text.contains(piece));
            }
        }
        String signature = jwt.substring(jwt.lastIndexOf('.') + 1, jwt.length() - 3);
        assertThat(texts).as(what).noneMatch(text -> text.contains(signature));
    }

    @Test
    void the_scenario_is_busy() {
        assertThat(REPLIES).hasSizeGreaterThan(100);
        assertThat(REPLIES.stream().map(Reply::status).distinct())
                .contains(200, 201, 400, 401, 403, 404);
        assertThat(SECRETS).hasSize(3);
    }

    ///
    @Test
    void only_the_answer_that_makes_a_secret_ever_shows_it() {
        holdsNoSecret(
                "answers",
                REPLIES.stream()
                        .filter(reply -> reply.text("/token").isEmpty())
                        .map(Reply::text)
                        .toList());
        for (String secret : SECRETS) {
            assertThat(REPLIES.stream().filter(reply -> reply.text().contains(secret))).hasSize(1);
        }
        holdsNoSecret(
                "headers",
                REPLIES.stream().map(reply -> reply.headers().map().toString()).toList());
    }

    ///
    @Test
    void the_tables_hold_the_hashes_and_the_secrets_nowhere() throws Exception {
        List<String> dump = Storage.of(server).dump();
        assertThat(dump).noneMatch(row -> row.contains("mmwt_"));
        holdsNoSecret("tables", dump);
        for (String secret : SECRETS) {
            byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
            assertThat(dump).anyMatch(row -> row.contains(HexFormat.of().formatHex(hash)));
            assertThat(dump).noneMatch(row -> row.contains(HexFormat.of().formatHex(bytes)));
        }
    }

    /// at the finest level, the driver's lines included.
    @Test
    void no_line_of_the_log_holds_one() {
        assertThat(String.join("\n", logged))
                .as("what was really looked at")
                .contains("/api/queue/jobs/claim", "a JWT was refused", "(hidden)");
        assertThat(driverLogged).anyMatch(line -> line.contains("worker_token_secret"));
        holdsNoSecret("log", logged);
        holdsNoSecret("the driver's log", driverLogged);
    }

    @Test
    void no_thread_is_named_after_one() {
        holdsNoSecret(
                "threads",
                Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList());
    }
}
