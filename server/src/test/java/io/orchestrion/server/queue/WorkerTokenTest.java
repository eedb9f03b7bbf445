package io.orchestrion.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.CatalogueCheck;
import io.orchestrion.server.OrchestrionServer;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Worker tokens as an operator manages them over HTTP.
@Timeout(180)
class WorkerTokenTest extends QueueFixture {
    private static final String TOKENS = "/api/queue/workers/tokens";

    private Reply create(String fields) {
        return queue.keyed().post(TOKENS, "{" + fields + "}");
    }

    private Reply made(String fields) {
        Reply reply = create(fields);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply;
    }

    private Reply verb(String id, String verb) {
        return queue.keyed().post(TOKENS + "/" + id + "/" + verb);
    }

    private Reply rotate(String id, int overlapSeconds) {
        return queue.keyed()
                .post(
                        TOKENS + "/" + id + "/rotate",
                        "{\"overlapSeconds\":%d}".formatted(overlapSeconds));
    }

    private Reply change(String id, String fields) {
        return queue.keyed().send("PATCH", TOKENS + "/" + id, "{" + fields + "}");
    }

    private int claimStatus(String token) {
        return queue.plain()
                .with("X-MoonMind-Worker-Token", token)
                .post(QueueApi.JOBS + "/claim", "{\"workerId\":\"executor-01\"}")
                .status();
    }

    /// the body of the contract's own example.
    @Test
    void a_token_is_made_as_the_contract_shows_it_and_works_at_once() {
        Reply made =
                made(
                        """
                        "workerId": "executor-01",
                        "description": "Primary executor",
                        "allowedRepositories": ["MoonLadderStudios/MoonMind"],
                        "allowedJobTypes": ["codex_exec"],
                        "capabilities": ["git", "gh", "codex"]
                        """);
        assertThat(UUID.fromString(made.text("/id"))).isNotNull();
        assertThat(made.text("/workerId")).isEqualTo("executor-01");
        assertThat(made.text("/token")).matches("mmwt_[0-9a-f]{64}");
        assertThat(made.at("/allowedRepositories").toString())
                .isEqualTo("[\"MoonLadderStudios/MoonMind\"]");
        assertThat(made.at("/allowedJobTypes").toString()).isEqualTo("[\"codex_exec\"]");
        assertThat(made.at("/capabilities").toString()).isEqualTo("[\"git\",\"gh\",\"codex\"]");
        assertThat(made.at("/isActive").asBoolean()).isTrue();
        assertThat(made.header("Cache-Control")).isEqualTo("no-store");
        String job =
                queue.enqueue(
                        "codex_exec",
                        "{\"repository\":\"moonladderstudios/moonmind\",\"requiredCapabilities\":[\"git\"]}");
        Reply claimed =
                queue.plain()
                        .with("X-MoonMind-Worker-Token", made.text("/token"))
                        .post(QueueApi.JOBS + "/claim", "{\"workerId\":\"executor-01\"}");
        assertThat(claimed.text("/job/id")).isEqualTo(job);
    }

    /// L-021.
    @Test
    void the_list_shows_all_but_the_secret() {
        Reply made = made("\"workerId\":\"w\",\"description\":\"for the night shift\"");
        Reply list = queue.keyed().get(TOKENS);
        assertThat(list.text("/items/0/id")).isEqualTo(made.text("/id"));
        assertThat(list.text("/items/0/description")).isEqualTo("for the night shift");
        assertThat(list.at("/items/0").has("token")).isFalse();
        assertThat(list.at("/items/0/allowedJobTypes").isNull()).isTrue();
        Reply one = queue.keyed().get(TOKENS + "/" + made.text("/id"));
        assertThat(one.text("/workerId")).isEqualTo("w");
        for (Reply later :
                List.of(
                        list,
                        one,
                        change(made.text("/id"), "\"description\":\"x\""),
                        verb(made.text("/id"), "deactivate"),
                        verb(made.text("/id"), "reactivate"),
                        rotate(made.text("/id"), 60))) {
            assertThat(later.status()).isEqualTo(200);
            assertThat(later.text()).doesNotContain(made.text("/token").substring(5));
        }
    }

    /// clear errors that name the field.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "workerId            | 'description':'x'",
                "workerId            | 'workerId':''",
                "workerId            | 'workerId':7",
                "workerId            | 'workerId':null",
                "workerId            | 'workerId':'LONG'",
                "description         | 'workerId':'w','description':7",
                "allowedRepositories | 'workerId':'w','allowedRepositories':'a/b'",
                "allowedRepositories | 'workerId':'w','allowedRepositories':{}",
                "allowedRepositories | 'workerId':'w','allowedRepositories':['']",
                "allowedRepositories | 'workerId':'w','allowedRepositories':[7]",
                "allowedRepositories | 'workerId':'w','allowedRepositories':[null]",
                "allowedRepositories | 'workerId':'w','allowedRepositories':null",
                "allowedRepositories | 'workerId':'w','allowedRepositories':['*']",
                "allowedRepositories | 'workerId':'w','allowedRepositories':['a/b*']",
                "allowedRepositories | 'workerId':'w','allowedRepositories':['*/b']",
                "allowedJobTypes     | 'workerId':'w','allowedJobTypes':'t'",
                "allowedJobTypes     | 'workerId':'w','allowedJobTypes':[['t']]",
                "allowedJobTypes     | 'workerId':'w','allowedJobTypes':null",
                "capabilities        | 'workerId':'w','capabilities':true",
                "capabilities        | 'workerId':'w','capabilities':['LONG']",
                "expiresAt           | 'workerId':'w','expiresAt':'2001-01-01T00:00:00Z'",
                "expiresInDays       | 'workerId':'w','expiresInDays':0",
                "isActive            | 'workerId':'w','isActive':true",
                "account_id          | 'workerId':'w','account_id':'x'",
                "token               | 'workerId':'w','token':'x'",
            })
    void a_bad_field_is_named(String field, String fields) {
        Reply refused = create(fields.replace('\'', '"').replace("LONG", "x".repeat(201)));
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.text("/code")).isEqualTo("queue_invalid_request");
        assertThat(refused.text("/detail")).contains(field);
        assertThat(queue.keyed().get(TOKENS).at("/items").size()).isZero();
    }

    ///
    @Test
    void a_list_has_at_most_a_hundred_entries() {
        String hundred = "\"x\",".repeat(99) + "\"x\"";
        made("\"workerId\":\"w\",\"capabilities\":[" + hundred + "]");
        assertThat(create("\"workerId\":\"w\",\"capabilities\":[" + hundred + ",\"y\"]").status())
                .isEqualTo(400);
    }

    ///
    @Test
    void without_an_operators_key_nothing_is_managed() {
        Reply token = made("\"workerId\":\"w\"");
        String one = TOKENS + "/" + token.text("/id");
        var worker = queue.plain().with("X-MoonMind-Worker-Token", token.text("/token"));
        for (String[] each :
                new String[][] {
                    {"POST", TOKENS, "{\"workerId\":\"w\"}"},
                    {"GET", TOKENS, null},
                    {"GET", one, null},
                    {"PATCH", one, "{\"capabilities\":null}"},
                    {"POST", one + "/deactivate", null},
                    {"POST", one + "/reactivate", null},
                    {"POST", one + "/rotate", "{}"}
                }) {
            Reply nobody = queue.plain().send(each[0], each[1], each[2]);
            assertThat(nobody.status()).isEqualTo(401);
            assertThat(nobody.text("/code")).isEqualTo("queue_no_credential");
            Reply bad =
                    queue.plain()
                            .with("X-MoonMind-Worker-Token", "mmwt_" + "0".repeat(64))
                            .send(each[0], each[1], each[2]);
            assertThat(bad.status()).isEqualTo(401);
            assertThat(bad.text("/code")).isEqualTo("queue_invalid_credential");
            Reply self = worker.send(each[0], each[1], each[2]);
            assertThat(self.status()).isEqualTo(403);
            assertThat(self.text("/code")).isEqualTo("queue_insufficient_scope");
        }
        assertThat(queue.keyed().get(TOKENS).at("/items").size()).isEqualTo(1);
    }

    /// which keys are an operator's.
    @ParameterizedTest
    @CsvSource({"operator, 201", "admin, 201", "producer, 403", "worker, 403"})
    void a_key_needs_the_scope_of_an_operator(String scope, int status) {
        Reply key =
                queue.keyed()
                        .post("/v1/keys", "{\"name\":\"k\",\"scopes\":[\"%s\"]}".formatted(scope));
        Reply made =
                queue.plain().withKey(key.text("/apiKey")).post(TOKENS, "{\"workerId\":\"w\"}");
        assertThat(made.status()).isEqualTo(status);
    }

    ///
    @Test
    void two_tokens_of_one_worker_work_independently() {
        Reply one = made("\"workerId\":\"executor-01\"");
        Reply two = made("\"workerId\":\"executor-01\"");
        verb(one.text("/id"), "deactivate");
        assertThat(claimStatus(one.text("/token"))).isEqualTo(401);
        assertThat(claimStatus(two.text("/token"))).isEqualTo(200);
    }

    /// L-021, Q-005.
    @Test
    void a_token_is_deactivated_and_reactivated_and_repeats_change_nothing() {
        Reply made = made("\"workerId\":\"executor-01\"");
        String id = made.text("/id");
        for (int i = 0; i < 2; i++) {
            Reply off = verb(id, "deactivate");
            assertThat(off.at("/isActive").asBoolean()).isFalse();
            assertThat(off.text("/status")).isEqualTo("inactive");
            assertThat(claimStatus(made.text("/token"))).isEqualTo(401);
        }
        Reply refused = rotate(id, 0);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("/code")).isEqualTo("queue_token_not_working");
        for (int i = 0; i < 2; i++) {
            assertThat(verb(id, "reactivate").at("/isActive").asBoolean()).isTrue();
            assertThat(claimStatus(made.text("/token"))).isEqualTo(200);
        }
        assertThat(actions())
                .containsExactly(
                        "worker_token.created",
                        "worker_token.deactivated",
                        "worker_token.reactivated");
    }

    private List<String> actions() {
        var actions = new ArrayList<String>();
        for (JsonNode entry : queue.keyed().get("/v1/audit").at("/entries")) {
            if (entry.at("/subject/type").asString().equals("worker_token")) {
                actions.add(entry.get("action").asString());
            }
        }
        return actions;
    }

    /// L-021.
    @Test
    void a_rotated_token_has_two_secrets_until_the_overlap_ends() {
        Reply made = made("\"workerId\":\"executor-01\"");
        String id = made.text("/id");
        Reply rotated = rotate(id, 120);
        assertThat(rotated.status()).isEqualTo(200);
        assertThat(rotated.text("/id")).isEqualTo(id);
        assertThat(rotated.text("/token"))
                .matches("mmwt_[0-9a-f]{64}")
                .isNotEqualTo(made.text("/token"));
        assertThat(rotated.header("Cache-Control")).isEqualTo("no-store");
        assertThat(Instant.parse(rotated.text("/formerSecretExpiresAt")))
                .isEqualTo(Instant.parse(rotated.text("/rotatedAt")).plusSeconds(120));
        assertThat(claimStatus(made.text("/token"))).isEqualTo(200);
        assertThat(claimStatus(rotated.text("/token"))).isEqualTo(200);
        advance(Duration.ofSeconds(121));
        assertThat(claimStatus(made.text("/token"))).isEqualTo(401);
        assertThat(claimStatus(rotated.text("/token"))).isEqualTo(200);
        assertThat(actions()).containsExactly("worker_token.created", "worker_token.rotated");
    }

    /// L-021: without a body the overlap is an hour.
    @Test
    void a_rotation_needs_no_body() {
        Reply made = made("\"workerId\":\"executor-01\"");
        Reply rotated = verb(made.text("/id"), "rotate");
        assertThat(rotated.status()).isEqualTo(200);
        assertThat(Instant.parse(rotated.text("/formerSecretExpiresAt")))
                .isEqualTo(Instant.parse(rotated.text("/rotatedAt")).plusSeconds(3600));
    }

    /// L-021.
    @ParameterizedTest
    @ValueSource(strings = {"-1", "604801", "1.5", "\"60\"", "[]"})
    void an_overlap_out_of_bounds_is_refused(String overlap) {
        Reply made = made("\"workerId\":\"executor-01\"");
        Reply refused =
                queue.keyed()
                        .post(
                                TOKENS + "/" + made.text("/id") + "/rotate",
                                "{\"overlapSeconds\":" + overlap + "}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/detail")).contains("overlapSeconds");
    }

    /// L-021: no more than five secrets of a token work at once.
    @Test
    void rotations_that_pile_up_are_refused_until_the_older_secrets_are_ended() {
        String id = made("\"workerId\":\"executor-01\"").text("/id");
        for (int i = 0; i < 4; i++) {
            assertThat(rotate(id, 600).status()).isEqualTo(200);
        }
        Reply refused = rotate(id, 600);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("/code")).isEqualTo("queue_too_many_secrets");
        assertThat(rotate(id, 0).status()).isEqualTo(200);
    }

    /// L-021.
    @Test
    void a_token_expires_when_it_was_told_to() {
        Instant end = now().plus(Duration.ofMinutes(10));
        Reply made = made("\"workerId\":\"executor-01\",\"expiresAt\":\"%s\"".formatted(end));
        assertThat(claimStatus(made.text("/token"))).isEqualTo(200);
        advance(Duration.ofMinutes(11));
        assertThat(claimStatus(made.text("/token"))).isEqualTo(401);
        Reply shown = queue.keyed().get(TOKENS + "/" + made.text("/id"));
        assertThat(shown.at("/isActive").asBoolean()).isFalse();
        assertThat(shown.text("/status")).isEqualTo("expired");
        assertThat(change(made.text("/id"), "\"expiresAt\":null").at("/isActive").asBoolean())
                .isTrue();
        assertThat(claimStatus(made.text("/token"))).isEqualTo(200);
    }

    /// L-022.
    @Test
    void the_last_use_and_its_address_are_shown() {
        Reply made = made("\"workerId\":\"executor-01\"");
        String one = TOKENS + "/" + made.text("/id");
        assertThat(queue.keyed().get(one).at("/lastUsedAt").isNull()).isTrue();
        claimStatus(made.text("/token"));
        server.kernel().kernel().sweepOnce("worker-token-use");
        Reply used = queue.keyed().get(one);
        assertThat(Instant.parse(used.text("/lastUsedAt"))).isAfterOrEqualTo(used(made));
        assertThat(used.text("/lastUsedFrom")).isEqualTo("127.0.0.1");
    }

    private static Instant used(Reply made) {
        return Instant.parse(made.text("/createdAt"));
    }

    /// L-021.
    @Test
    void the_list_comes_in_pages_newest_first() {
        var made = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            made.add(made("\"workerId\":\"w" + i % 2 + "\"").text("/id"));
        }
        var seen = new ArrayList<String>();
        String cursor = "";
        do {
            Reply page = queue.keyed().get(TOKENS + "?limit=2" + cursor);
            page.at("/items").forEach(each -> seen.add(each.get("id").asString()));
            cursor =
                    page.text("/nextCursor").isEmpty() ? "" : "&cursor=" + page.text("/nextCursor");
        } while (!cursor.isEmpty());
        assertThat(seen).containsExactlyElementsOf(made.reversed());
        assertThat(queue.keyed().get(TOKENS + "?workerId=w1").at("/items").size()).isEqualTo(2);
        assertThat(queue.keyed().get(TOKENS + "?cursor=x").status()).isEqualTo(400);
        assertThat(queue.keyed().get(TOKENS + "?limit=0").status()).isEqualTo(400);
    }

    /// Another account's token answers as one that nobody has.
    @Test
    void another_accounts_token_is_not_found() {
        String id = made("\"workerId\":\"w\"").text("/id");
        QueueApi other = QueueApi.of(server);
        for (String path : List.of(id, UUID.randomUUID().toString(), "x", "%20")) {
            String one = TOKENS + "/" + path;
            for (Reply reply :
                    List.of(
                            other.keyed().get(one),
                            other.keyed().send("PATCH", one, "{\"description\":\"mine\"}"),
                            other.keyed().post(one + "/deactivate"),
                            other.keyed().post(one + "/reactivate"),
                            other.keyed().post(one + "/rotate"))) {
                assertThat(reply.status()).isEqualTo(404);
                assertThat(reply.text("/code")).isEqualTo("queue_token_not_found");
                assertThat(reply.text("/detail"))
                        .isEqualTo("This account has no such worker token.");
            }
        }
        assertThat(other.keyed().get(TOKENS).at("/items").size()).isZero();
    }

    /// The name that work was done under does not change.
    @Test
    void the_worker_of_a_token_cannot_be_changed() {
        String id = made("\"workerId\":\"w\"").text("/id");
        Reply refused = change(id, "\"workerId\":\"other\"");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/detail")).contains("workerId");
    }

    /// over HTTP, on another node, without a wait.
    @Test
    void what_is_changed_about_a_token_holds_at_the_next_claim_on_every_node() {
        try (var second = new TestServerOnSameDatabase(server)) {
            Reply made = made("\"workerId\":\"executor-01\",\"allowedJobTypes\":[\"a\"]");
            String id = made.text("/id");
            var there = second.anonymous().with("X-MoonMind-Worker-Token", made.text("/token"));
            String claim = "{\"workerId\":\"executor-01\"}";
            String b = queue.enqueue("b");
            assertThat(there.post(QueueApi.JOBS + "/claim", claim).at("/job").isNull()).isTrue();
            change(id, "\"allowedJobTypes\":[\"b\"]");
            assertThat(there.post(QueueApi.JOBS + "/claim", claim).text("/job/id")).isEqualTo(b);
            queue.enqueue("b");
            change(id, "\"allowedJobTypes\":[]");
            assertThat(there.post(QueueApi.JOBS + "/claim", claim).at("/job").isNull()).isTrue();
            change(id, "\"allowedJobTypes\":null");
            assertThat(there.post(QueueApi.JOBS + "/claim", claim).at("/job").isNull()).isFalse();
            verb(id, "deactivate");
            assertThat(there.post(QueueApi.JOBS + "/claim", claim).status()).isEqualTo(401);
        }
    }

    /// Another node on the database of a server.
    private static final class TestServerOnSameDatabase implements AutoCloseable {
        private final OrchestrionServer node;

        TestServerOnSameDatabase(TestServer first) {
            node =
                    OrchestrionServer.start(
                            first.kernel()
                                    .anotherNode(
                                            options ->
                                                    options.withPace(
                                                            options.sweepEvery(),
                                                            Duration.ofSeconds(60),
                                                            false)),
                            TestServer.options());
        }

        Api anonymous() {
            return Api.on(node.port(), new CatalogueCheck());
        }

        @Override
        public void close() {
            node.close();
        }
    }
}
