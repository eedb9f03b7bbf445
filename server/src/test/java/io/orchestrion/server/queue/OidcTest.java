package io.orchestrion.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.oidc.LocalIssuer;
import io.orchestrion.server.oidc.LocalIssuer.Behaviour;
import io.orchestrion.server.oidc.LocalIssuer.SigningKey;
import io.orchestrion.server.oidc.OidcOptions;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/// Workers with a JWT of an outside issuer, over HTTP and against an issuer with real keys.
@Timeout(180)
class OidcTest {
    private static final String CLAIM = QueueApi.JOBS + "/claim";
    private static final SigningKey RSA = SigningKey.rsa("one");
    private static final SigningKey EC = SigningKey.ec("two", "secp256r1");

    private final LocalIssuer issuer = new LocalIssuer(RSA);
    private final AtomicLong nanos = new AtomicLong(1);
    private @Nullable TestServer server;

    @AfterEach
    void close() {
        issuer.close();
        if (server != null) {
            server.close();
        }
    }

    private TestServer started() {
        if (server == null) {
            server = new TestServer(options -> options, options -> options.withOidc(oidc()));
        }
        return server;
    }

    private OidcOptions oidc() {
        return new OidcOptions(
                issuer.url(),
                List.of("orchestrion"),
                null,
                Duration.ofSeconds(60),
                Duration.ofDays(1),
                new OidcOptions.Claims(
                        "sub",
                        "account",
                        "allowed_repositories",
                        "allowed_job_types",
                        "capabilities"),
                Identity.LOCAL_ACCOUNT,
                Map.of(),
                OidcOptions.Pace.every(Duration.ofMinutes(5)).withTicker(nanos::get));
    }

    private String token(UUID account, String more, SigningKey by, String algorithm) {
        long now = started().kernel().kernel().database().aboutNowMillis() / 1000;
        return LocalIssuer.token(
                "{\"iss\":\"%s\",\"aud\":\"orchestrion\",\"sub\":\"executor-01\",\"account\":\"%s\",\"exp\":%d%s}"
                        .formatted(issuer.url(), account, now + 300, more),
                by,
                algorithm);
    }

    private Api worker(QueueApi queue, String more) {
        return queue.plain().withKey(token(queue.account(), more, RSA, "RS256"));
    }

    ///
    @Test
    void a_jwt_opens_the_verbs_of_a_worker_under_its_own_name() {
        QueueApi queue = QueueApi.of(started());
        String job = queue.enqueue("t");
        Api worker = worker(queue, "");
        assertThat(worker.post(CLAIM, "{\"workerId\":\"executor-02\"}").text("/code"))
                .isEqualTo("queue_wrong_worker");
        Reply claimed = worker.post(CLAIM, "{\"workerId\":\"executor-01\"}");
        assertThat(claimed.text("/job/id")).isEqualTo(job);
        String base = QueueApi.JOBS + "/" + job;
        String name = "{\"workerId\":\"executor-01\"";
        assertThat(worker.post(base + "/heartbeat", name + ",\"leaseSeconds\":9}").status())
                .isEqualTo(200);
        assertThat(
                        worker.post(
                                        base + "/events",
                                        name + ",\"level\":\"info\",\"message\":\"m\"}")
                                .status())
                .isEqualTo(201);
        assertThat(worker.post(base + "/complete", name + "}").status()).isEqualTo(200);
        assertThat(queue.status(job)).isEqualTo("succeeded");
    }

    /// the policy in its claims holds as that of a worker token does.
    @Test
    void a_jwt_is_held_to_the_policy_in_its_claims() {
        QueueApi queue = QueueApi.of(started());
        queue.enqueue("other", "{\"repository\":\"acme/site\"}");
        queue.enqueue("build", "{\"repository\":\"evil/site\"}");
        queue.enqueue("build", "{}");
        queue.enqueue(
                "build", "{\"repository\":\"acme/site\",\"requiredCapabilities\":[\"rocket\"]}");
        String mine =
                queue.enqueue(
                        "build",
                        "{\"repository\":\"Acme/Site\",\"requiredCapabilities\":[\"git\"]}");
        Api worker =
                worker(
                        queue,
                        ",\"allowed_repositories\":[\"acme/*\"],\"allowed_job_types\":[\"build\"],"
                                + "\"capabilities\":[\"git\"]");
        String all =
                "{\"workerId\":\"executor-01\",\"allowedTypes\":[\"build\",\"other\"],"
                        + "\"workerCapabilities\":[\"git\",\"rocket\"]}";
        assertThat(worker.post(CLAIM, all).text("/job/id")).isEqualTo(mine);
        assertThat(worker.post(CLAIM, all).at("/job").isNull()).isTrue();
    }

    /// the forgeries themselves are in the tests of the verifier; here is how they end.
    @Test
    void a_refused_jwt_is_a_401_that_does_not_say_why() {
        QueueApi queue = QueueApi.of(started());
        queue.enqueue("t");
        long now = started().kernel().kernel().database().aboutNowMillis() / 1000;
        String good =
                "\"iss\":\"%s\",\"aud\":\"orchestrion\",\"sub\":\"executor-01\",\"account\":\"%s\""
                        .formatted(issuer.url(), queue.account());
        SigningKey stranger = SigningKey.rsa("one");
        String unsigned =
                LocalIssuer.encoded("{\"alg\":\"none\"}")
                        + "."
                        + LocalIssuer.encoded("{" + good + ",\"exp\":" + (now + 60) + "}")
                        + ".";
        for (String bad :
                List.of(
                        unsigned,
                        LocalIssuer.token(
                                "{" + good + ",\"exp\":" + (now + 60) + "}", stranger, "RS256"),
                        LocalIssuer.token(
                                "{" + good + ",\"exp\":" + (now - 90) + "}", RSA, "RS256"),
                        LocalIssuer.token("{" + good + "}", RSA, "RS256"),
                        LocalIssuer.token(
                                "{"
                                        + good.replace("\"orchestrion\"", "\"other\"")
                                        + ",\"exp\":"
                                        + (now + 60)
                                        + "}",
                                RSA,
                                "RS256"),
                        token(UUID.randomUUID(), "", RSA, "RS256"),
                        "a.b.c")) {
            Reply reply = queue.plain().withKey(bad).post(CLAIM, "{\"workerId\":\"executor-01\"}");
            assertThat(reply.status()).isEqualTo(401);
            assertThat(reply.text("/code")).isEqualTo("queue_invalid_credential");
            assertThat(reply.text("/detail"))
                    .isEqualTo("The token is not one that this server takes.");
        }
        assertThat(
                        started()
                                .database()
                                .<Long>value(
                                        "select count(*) from work where state = 'ready' and"
                                                + " account_id = ?",
                                        queue.account()))
                .isEqualTo(1);
    }

    ///
    @Test
    void without_an_issuer_in_the_settings_every_jwt_is_refused_and_nobody_is_asked() {
        try (var closed = new TestServer()) {
            QueueApi queue = QueueApi.of(closed);
            Reply reply =
                    queue.plain()
                            .withKey(token(queue.account(), "", RSA, "RS256"))
                            .post(CLAIM, "{\"workerId\":\"executor-01\"}");
            assertThat(reply.status()).isEqualTo(401);
            assertThat(issuer.asked()).isZero();
        }
    }

    /// Worker verbs only: a JWT manages nothing and reads nothing else.
    @Test
    void a_jwt_opens_no_other_endpoint() {
        QueueApi queue = QueueApi.of(started());
        Api worker = worker(queue, "");
        for (String path : List.of("/api/queue/workers/tokens", QueueApi.JOBS)) {
            assertThat(worker.get(path).text("/code")).isEqualTo("queue_insufficient_scope");
        }
        assertThat(worker.get("/v1/tasks").error()).isEqualTo("invalid_api_key");
    }

    /// Key rotation at the issuer.
    @Test
    void a_new_key_of_the_issuer_works_and_a_removed_one_ends() {
        QueueApi queue = QueueApi.of(started());
        String claim = "{\"workerId\":\"executor-01\"}";
        assertThat(worker(queue, "").post(CLAIM, claim).status()).isEqualTo(200);
        issuer.publish(EC);
        nanos.addAndGet(Duration.ofSeconds(31).toNanos());
        Api rotated = queue.plain().withKey(token(queue.account(), "", EC, "ES256"));
        assertThat(rotated.post(CLAIM, claim).status()).isEqualTo(200);
        assertThat(worker(queue, "").post(CLAIM, claim).status()).isEqualTo(401);
    }

    /// An issuer that hangs holds nobody but those who show its tokens, and those for its time
    /// only.
    @Test
    void an_issuer_that_is_away_is_a_503_and_others_are_served() {
        QueueApi queue = QueueApi.of(started());
        QueueApi.Worker tokened = queue.worker("executor-01");
        issuer.behave(Behaviour.HANGING);
        String claim = "{\"workerId\":\"executor-01\"}";
        List<Reply> replies =
                Parallel.run(
                        20,
                        i ->
                                () ->
                                        i % 2 == 0
                                                ? worker(queue, "").post(CLAIM, claim)
                                                : tokened.claim(""));
        for (int i = 0; i < replies.size(); i++) {
            Reply reply = replies.get(i);
            assertThat(reply.status()).isEqualTo(i % 2 == 0 ? 503 : 200);
            if (i % 2 == 0) {
                assertThat(reply.text("/code")).isEqualTo("queue_issuer_unavailable");
                assertThat(reply.header("Retry-After")).isNotEmpty();
                assertThat(reply.at("/retryable").asBoolean()).isTrue();
            }
        }
        issuer.behave(Behaviour.GOOD);
        nanos.addAndGet(Duration.ofSeconds(6).toNanos());
        assertThat(worker(queue, "").post(CLAIM, claim).status()).isEqualTo(200);
    }
}
