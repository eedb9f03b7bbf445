package io.orchestrion.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/// Clients and their keys, over HTTP.
@Timeout(180)
class ClientsTest extends JobsFixture {
    private static final String NOBODY = "01970000-0000-4000-8000-000000000000";

    private static void refused(Reply reply, int status, JobsError error) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.text("/code")).isEqualTo(error.code());
    }

    private static Api operator() {
        return server.anonymous()
                .withKey(server.kernel().kernel().identity().registerLocal("test").key().reveal());
    }

    /// J-060, J-061: nobody's credential, nothing in the body.
    @Test
    void every_call_makes_another_client() {
        Reply first = jobs.plain().post("/v1/clients");
        Reply second = jobs.plain().post("/v1/clients", "{}");
        assertThat(first.status()).isEqualTo(201);
        assertThat(second.status()).isEqualTo(201);
        assertThat(first.body().propertyNames()).containsExactly("client_id");
        assertThat(first.text("/client_id")).isNotEqualTo(second.text("/client_id"));
    }

    /// J-057, J-061.
    @Test
    void one_idempotency_key_makes_one_client() {
        Api once = jobs.plain().with("Idempotency-Key", UUID.randomUUID().toString());
        Reply first = once.post("/v1/clients");
        Reply again = once.post("/v1/clients");
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.text("/client_id")).isEqualTo(first.text("/client_id"));
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    }

    /// J-063, J-064, J-081: the first key needs none, works, and ends in 90 days.
    @Test
    void the_first_key_needs_no_credential_and_works() {
        String client = jobs.plain().post("/v1/clients").text("/client_id");
        Reply made = jobs.plain().post("/v1/clients/" + client + "/keys", "{}");
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.text("/api_key")).matches("orch_live_[0-9a-f]{64}");
        assertThat(made.header("Cache-Control")).isEqualTo("no-store");
        assertThat(
                        Duration.between(
                                Instant.parse(made.text("/created_at")),
                                Instant.parse(made.text("/expires_at"))))
                .isEqualTo(Duration.ofDays(90));
        assertThat(jobs.plain().withKey(made.text("/api_key")).get(JobsApi.JOBS).status())
                .isEqualTo(200);
    }

    /// J-064, J-068: every later call needs a key.
    @Test
    void a_second_key_is_not_had_for_the_asking() {
        refused(jobs.plain().post(jobs.keys(), "{}"), 401, JobsError.AUTH_INVALID_CREDENTIALS);
        refused(
                jobs.plain().post(jobs.keys(), "{\"rotate\":true}"),
                401,
                JobsError.AUTH_INVALID_CREDENTIALS);
        Api wrong = jobs.plain().withKey("orch_live_" + "0".repeat(64));
        refused(wrong.post(jobs.keys(), "{}"), 401, JobsError.AUTH_INVALID_CREDENTIALS);
        String fresh = jobs.plain().post("/v1/clients").text("/client_id");
        refused(
                wrong.post("/v1/clients/" + fresh + "/keys", "{}"),
                401,
                JobsError.AUTH_INVALID_CREDENTIALS);
    }

    /// J-064: within a day of the client's making.
    @Test
    void the_first_key_is_not_waited_for_longer_than_a_day() {
        String client = jobs.plain().post("/v1/clients").text("/client_id");
        advance(Duration.ofHours(24).plusSeconds(1));
        refused(
                jobs.plain().post("/v1/clients/" + client + "/keys", "{}"),
                401,
                JobsError.AUTH_INVALID_CREDENTIALS);
        // The operator lets it in.
        Reply made = operator().post("/v1/clients/" + client + "/keys", "{}");
        assertThat(made.status()).isEqualTo(201);
        assertThat(jobs.plain().withKey(made.text("/api_key")).get(JobsApi.JOBS).status())
                .isEqualTo(200);
    }

    /// J-065.
    @Test
    void asked_for_again_the_key_is_told_without_its_secret() {
        Reply again = jobs.keyed().post(jobs.keys(), "{}");
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.at("/api_key").isNull()).isTrue();
        assertThat(again.text("/key_id")).isEqualTo(jobs.keyId());
        assertThat(again.text("/created_at")).isNotEmpty();
        assertThat(again.text("/expires_at")).isNotEmpty();
        assertThat(jobs.keyed().post(jobs.keys()).text("/key_id")).isEqualTo(jobs.keyId());
    }

    /// J-066, J-223: the old key stops working with the next request.
    @Test
    void rotation_replaces_the_key() {
        Reply made = jobs.keyed().post(jobs.keys(), "{\"rotate\":true}");
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.text("/key_id")).isNotEqualTo(jobs.keyId());
        assertThat(made.text("/api_key")).isNotEqualTo(jobs.key());
        assertThat(jobs.plain().withKey(made.text("/api_key")).get(JobsApi.JOBS).status())
                .isEqualTo(200);
        refused(jobs.keyed().get(JobsApi.JOBS), 403, JobsError.AUTH_API_KEY_DISABLED);
    }

    /// J-067, J-074, J-079: bodies that cannot be read.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ''      | {"rotate":"yes"}
                    ''      | {"rotate":1}
                    ''      | {"rotate":
                    ''      | {"other":true}
                    /renew  | []
                    /renew  | {"a":1}
                    /renew  | {
                    /revoke | {}
                    /revoke | {"key_id":7}
                    /revoke | {"key_id":"x"}
                    /revoke | null
                    """)
    void a_body_that_cannot_be_read_is_malformed(String verb, String body) {
        refused(jobs.keyed().post(jobs.keys() + verb, body), 400, JobsError.REQUEST_MALFORMED);
    }

    /// J-069, J-074, J-079, J-225: another client's keys are not ours.
    @ParameterizedTest
    @ValueSource(strings = {"", "/renew", "/revoke"})
    void a_key_of_another_client_manages_nothing(String verb) {
        JobsApi other = JobsApi.of(server);
        String body = verb.equals("/revoke") ? "{\"key_id\":\"" + jobs.keyId() + "\"}" : "{}";
        refused(other.keyed().post(jobs.keys() + verb, body), 403, JobsError.AUTH_FORBIDDEN);
        assertThat(jobs.keyed().get(JobsApi.JOBS).status()).isEqualTo(200);
    }

    /// J-070, J-074, J-079.
    @ParameterizedTest
    @ValueSource(strings = {"", "/renew", "/revoke"})
    void an_unknown_client_is_not_found(String verb) {
        String body = verb.equals("/revoke") ? "{\"key_id\":\"" + NOBODY + "\"}" : "{}";
        for (String id : List.of(NOBODY, "nobody")) {
            refused(
                    jobs.keyed().post("/v1/clients/" + id + "/keys" + verb, body),
                    404,
                    JobsError.CLIENT_NOT_FOUND);
        }
        refused(
                jobs.plain().post("/v1/clients/" + NOBODY + "/keys", "{}"),
                404,
                JobsError.CLIENT_NOT_FOUND);
    }

    /// J-074, J-079.
    @ParameterizedTest
    @ValueSource(strings = {"/renew", "/revoke"})
    void without_a_key_nothing_is_managed(String verb) {
        refused(
                jobs.plain().post(jobs.keys() + verb, "{\"key_id\":\"" + jobs.keyId() + "\"}"),
                401,
                JobsError.AUTH_INVALID_CREDENTIALS);
    }

    /// J-071, J-075, J-079: both were let in before either was done. Whoever comes second finds
    /// another key in its place, or itself shut out.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ''     | {"rotate":true} | ''      | {"rotate":true}
                    /renew | {}              | /renew  | {}
                    ''     | {"rotate":true} | /revoke | {"key_id":"own"}
                    """)
    void of_two_changes_at_once_one_wins_and_the_other_is_a_conflict(
            String verb, String body, String otherVerb, String otherBody) throws Exception {
        CompletableFuture<Reply> one;
        CompletableFuture<Reply> other;
        try (Connection holder = server.database().connect();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute(
                    "select 1 from account where account_id = '" + jobs.client() + "' for update");
            one = CompletableFuture.supplyAsync(() -> changed(verb, body));
            other = CompletableFuture.supplyAsync(() -> changed(otherVerb, otherBody));
            Until.isTrue(
                    "both wait for the account",
                    Duration.ofSeconds(10),
                    () ->
                            count(
                                            "pg_stat_activity",
                                            "datname = current_database() and wait_event_type ="
                                                    + " 'Lock'")
                                    == 2);
            holder.rollback();
        }
        List<Reply> replies = List.of(one.get(), other.get());
        assertThat(replies).filteredOn(reply -> reply.status() < 300).hasSize(1);
        assertThat(replies)
                .filteredOn(reply -> reply.status() >= 300)
                .singleElement()
                .satisfies(reply -> refused(reply, 409, JobsError.KEY_CONFLICT));
    }

    private Reply changed(String verb, String body) {
        return jobs.keyed().post(jobs.keys() + verb, body.replace("own", jobs.keyId()));
    }

    /// J-073: a new secret and a longer life under the same id.
    @Test
    void renewal_gives_the_key_another_secret_and_a_longer_life() {
        String before = jobs.keyed().post(jobs.keys(), "{}").text("/expires_at");
        advance(Duration.ofDays(10));
        Reply renewed = jobs.keyed().post(jobs.keys() + "/renew", "{}");
        assertThat(renewed.status()).as(renewed.text()).isEqualTo(200);
        assertThat(renewed.text("/api_key")).isNotEqualTo(jobs.key());
        assertThat(Instant.parse(renewed.text("/expires_at"))).isAfter(Instant.parse(before));
        assertThat(jobs.plain().withKey(renewed.text("/api_key")).get(JobsApi.JOBS).status())
                .isEqualTo(200);
        refused(jobs.keyed().get(JobsApi.JOBS), 401, JobsError.AUTH_INVALID_CREDENTIALS);
    }

    /// J-074, J-221, J-222, J-224, J-304: from the moment of its end on, and renewal does not help.
    @Test
    void an_expired_key_opens_nothing() {
        Instant end = Instant.parse(jobs.keyed().post(jobs.keys(), "{}").text("/expires_at"));
        long now = server.kernel().kernel().database().transaction(tx -> tx.nowMillis());
        advance(Duration.ofMillis(end.toEpochMilli() - now - 2_000));
        assertThat(jobs.keyed().get(JobsApi.JOBS).status()).isEqualTo(200);
        advance(Duration.ofSeconds(2));
        refused(jobs.keyed().get(JobsApi.JOBS), 401, JobsError.AUTH_TOKEN_EXPIRED);
        refused(jobs.submit("\"type\":\"EXECUTE\""), 401, JobsError.AUTH_TOKEN_EXPIRED);
        long keys = keys(jobs);
        refused(jobs.keyed().post(jobs.keys() + "/renew", "{}"), 401, JobsError.AUTH_TOKEN_EXPIRED);
        assertThat(keys(jobs)).as("no new key").isEqualTo(keys);
        refused(jobs.keyed().get(JobsApi.JOBS), 401, JobsError.AUTH_TOKEN_EXPIRED);
    }

    private static long keys(JobsApi of) {
        return count("api_key", "account_id = '" + of.client() + "'");
    }

    /// J-075: there is nothing to renew.
    @Test
    void without_a_working_key_there_is_nothing_to_renew() {
        String client = jobs.plain().post("/v1/clients").text("/client_id");
        refused(
                operator().post("/v1/clients/" + client + "/keys/renew", "{}"),
                409,
                JobsError.KEY_CONFLICT);
    }

    /// J-077, J-078, J-224, J-306: at once, and as often as one likes.
    @Test
    void a_revoked_key_opens_nothing() {
        Reply other = jobs.keyed().post(jobs.keys(), "{\"rotate\":true}");
        JobsApi now = jobs.withKey(other.text("/api_key"), other.text("/key_id"));
        String revoke = "{\"key_id\":\"" + jobs.keyId() + "\"}";
        for (int i = 0; i < 2; i++) {
            Reply reply = now.keyed().post(now.keys() + "/revoke", revoke);
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.text()).isEqualTo("{\"revoked\":true}");
        }
        Reply own =
                now.keyed().post(now.keys() + "/revoke", "{\"key_id\":\"" + now.keyId() + "\"}");
        assertThat(own.status()).isEqualTo(200);
        refused(now.keyed().get(JobsApi.JOBS), 403, JobsError.AUTH_API_KEY_DISABLED);
        long keys = keys(now);
        refused(
                now.keyed().post(now.keys() + "/renew", "{}"),
                403,
                JobsError.AUTH_API_KEY_DISABLED);
        assertThat(keys(now)).as("no new key").isEqualTo(keys);
        // Nobody can have a key by being nobody once there was one.
        refused(now.plain().post(now.keys(), "{}"), 401, JobsError.AUTH_INVALID_CREDENTIALS);
    }

    /// J-079, J-225.
    @Test
    void a_key_that_is_not_there_cannot_be_revoked() {
        refused(
                jobs.keyed().post(jobs.keys() + "/revoke", "{\"key_id\":\"" + NOBODY + "\"}"),
                404,
                JobsError.KEY_NOT_FOUND);
    }

    /// J-325, J-337: a revoked key is remembered for 90 days, and is unknown after.
    @Test
    void a_revoked_key_is_remembered_for_ninety_days() {
        jobs.keyed().post(jobs.keys() + "/revoke", "{\"key_id\":\"" + jobs.keyId() + "\"}");
        advance(Duration.ofDays(89));
        server.kernel().kernel().sweepOnce("key-purger");
        refused(jobs.keyed().get(JobsApi.JOBS), 403, JobsError.AUTH_API_KEY_DISABLED);
        advance(Duration.ofDays(2));
        server.kernel().kernel().sweepOnce("key-purger");
        refused(jobs.keyed().get(JobsApi.JOBS), 401, JobsError.AUTH_INVALID_CREDENTIALS);
        assertThat(count("api_key", "account_id = '" + jobs.client() + "'")).isZero();
    }

    /// J-057, J-082, S-24: nothing that is kept has a secret in it.
    @Test
    void no_secret_is_stored_anywhere() {
        String client = jobs.plain().post("/v1/clients").text("/client_id");
        Api once = jobs.plain().with("Idempotency-Key", "first-" + client);
        Reply first = once.post("/v1/clients/" + client + "/keys", "{}");
        Reply again = once.post("/v1/clients/" + client + "/keys", "{}");
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.text("/key_id")).isEqualTo(first.text("/key_id"));
        assertThat(again.at("/api_key").isNull()).isTrue();
        refused(
                once.post("/v1/clients/" + client + "/keys", "{\"rotate\":true}"),
                409,
                JobsError.EXEC_IDEMPOTENCY_CONFLICT);
        assertThat(count("idempotency", "answer like '%orch_live_%'")).isZero();
        assertThat(
                        count(
                                "api_key",
                                "account_id = '"
                                        + client
                                        + "' and key_hash = sha256(convert_to('"
                                        + first.text("/api_key")
                                        + "', 'UTF8'))"))
                .isEqualTo(1);
        assertThat(count("audit", "detail::text like '%orch_live_%'")).isZero();
    }

    /// J-007: what is known of a client does not change.
    @Test
    void the_row_of_a_client_cannot_be_changed() {
        assertThatThrownBy(
                        () ->
                                server.database()
                                        .tryExecute(
                                                "update client set created_ms = 0 where account_id"
                                                        + " = ?::uuid",
                                                jobs.client()))
                .hasMessageContaining("does not change");
    }

    /// J-376 in the audit log: each step of a key's life, and who took it.
    @Test
    void the_life_of_a_key_is_audited() {
        Reply rotated = jobs.keyed().post(jobs.keys(), "{\"rotate\":true}");
        JobsApi now = jobs.withKey(rotated.text("/api_key"), rotated.text("/key_id"));
        Reply renewed = now.keyed().post(now.keys() + "/renew", "{}");
        Api last = jobs.plain().withKey(renewed.text("/api_key"));
        last.post(jobs.keys() + "/revoke", "{\"key_id\":\"" + now.keyId() + "\"}");
        List<String> actions =
                server
                        .database()
                        .rows(
                                "select action from audit where account_id = ?::uuid order by"
                                        + " seq",
                                jobs.client())
                        .stream()
                        .map(row -> String.valueOf(row.get("action")))
                        .toList();
        assertThat(actions)
                .containsExactly(
                        "key.created", "key.revoked", "key.created", "key.renewed", "key.revoked");
    }

    /// J-056, J-058, J-217, J-218, J-219, J-220: on every endpoint but two.
    @Test
    void without_a_good_key_nothing_is_told_of_jobs() {
        String known = jobs.execute("SUCCESS_FAST");
        for (String sent :
                List.of("", "Bearer nothing", "Basic abc", "Bearer mmwt_" + "0".repeat(64))) {
            Api api = sent.isEmpty() ? jobs.plain() : jobs.plain().with("Authorization", sent);
            for (String path : List.of("", "/" + known, "/" + NOBODY, "/" + known + "/report")) {
                Reply reply = api.get(JobsApi.JOBS + path);
                refused(reply, 401, JobsError.AUTH_INVALID_CREDENTIALS);
                assertThat(reply.text()).doesNotContain(known);
            }
            long before = count("job", "true");
            refused(
                    api.post(JobsApi.JOBS, "{\"type\":\"EXECUTE\"}"),
                    401,
                    JobsError.AUTH_INVALID_CREDENTIALS);
            assertThat(count("job", "true")).isEqualTo(before);
        }
        assertThat(jobs.state(known)).isEqualTo("QUEUED");
    }

    /// J-058, T-013, C-57: one account and its keys at every door, within their scopes.
    @Test
    void any_live_key_of_the_account_works_within_its_scopes() {
        Reply made = jobs.plain().post("/v1/keys/register", "{\"name\":\"one for all\"}");
        Api registered = jobs.plain().withKey(made.text("/apiKey"));
        assertThat(registered.post(JobsApi.JOBS, "{\"type\":\"EXECUTE\"}").status()).isEqualTo(202);
        Reply worker = registered.post("/v1/keys", "{\"name\":\"w\",\"scopes\":[\"worker\"]}");
        Api limited = jobs.plain().withKey(worker.text("/apiKey"));
        assertThat(limited.get(JobsApi.JOBS).status()).isEqualTo(200);
        refused(
                limited.post(JobsApi.JOBS, "{\"type\":\"EXECUTE\"}"),
                403,
                JobsError.AUTH_FORBIDDEN);
        // And a client's key opens the other doors.
        assertThat(jobs.keyed().get("/v1/tasks").status()).isEqualTo(200);
        Reply task = jobs.keyed().post("/v1/tasks", "{\"type\":\"t\",\"payload\":{}}");
        assertThat(task.status()).as(task.text()).isEqualTo(201);
        assertThat(jobs.keyed().post("/v1/tasks/claim", "{\"type\":\"t\"}").text("/task/id"))
                .isEqualTo(task.text("/task/id"));
        assertThat(UUID.fromString(made.text("/accountId"))).isNotEqualTo(Identity.LOCAL_ACCOUNT);
    }
}
