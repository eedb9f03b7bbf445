package io.orchestrion.server.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.tasks.Requests;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

class KeyManagementTest {
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

    private Reply made(String fields) {
        Reply reply = api.post("/v1/keys", "{\"name\":\"another\"" + fields + "}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply;
    }

    private Api by(Reply made) {
        return server.anonymous().withKey(made.text("/apiKey"));
    }

    private static String id(Reply reply) {
        return reply.text("/key/id");
    }

    private Reply revoke(String id) {
        return api.send("DELETE", "/v1/keys/" + id, null);
    }

    private String ownId() {
        return api.get("/v1/keys?limit=200").at("/keys").values().stream()
                .filter(key -> key.get("current").asBoolean())
                .map(key -> key.get("id").asString())
                .findFirst()
                .orElseThrow();
    }

    private static void refused(Reply reply, int status, String error, String words) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.error()).isEqualTo(error);
        assertThat(reply.text("/message")).contains(words);
    }

    /// L-019.
    @Test
    void a_further_key_opens_the_same_account_and_is_shown_once() {
        Reply made = made("");
        assertThat(made.text("/apiKey")).matches("^orch_live_[0-9a-f]{64}$");
        assertThat(made.header("Cache-Control")).isEqualTo("no-store");
        assertThat(made.header("Location")).isEqualTo("/v1/keys/" + id(made));
        assertThat(made.text("/key/name")).isEqualTo("another");
        assertThat(made.text("/key/status")).isEqualTo("live");
        assertThat(made.at("/key/expiresAt").isNull()).isTrue();
        assertThat(made.at("/key/current").asBoolean()).isFalse();

        String task = account.create("shared");
        assertThat(by(made).get("/v1/tasks/" + task).status()).isEqualTo(200);
        Reply read = by(made).get("/v1/keys/" + id(made));
        assertThat(read.at("/key/current").asBoolean()).isTrue();
        assertThat(read.text() + api.get("/v1/keys").text())
                .doesNotContain(made.text("/apiKey").substring(10, 20));
    }

    /// L-019: two requests that look the same make two keys, and none of them is stored.
    @Test
    void an_idempotency_key_means_nothing_here() {
        Api keyed = api.with("Idempotency-Key", "k");
        Reply one = keyed.post("/v1/keys", "{\"name\":\"k\"}");
        Reply two = keyed.post("/v1/keys", "{\"name\":\"k\"}");
        assertThat(two.text("/apiKey")).isNotEqualTo(one.text("/apiKey"));
        assertThat(server.database().<Long>value("select count(*) from idempotency")).isZero();
    }

    /// L-019.
    @Test
    void scopes_are_those_of_the_caller_unless_fewer_are_asked_for() {
        assertThat(scopes(made(""))).containsExactly("producer", "worker", "operator", "admin");
        Reply manager = made(",\"scopes\":[\"admin\",\"worker\"]");
        assertThat(scopes(manager)).containsExactly("worker", "admin");
        Reply inherited = by(manager).post("/v1/keys", "{\"name\":\"n\"}");
        assertThat(scopes(inherited)).containsExactly("worker", "admin");
        refused(
                by(manager).post("/v1/keys", "{\"name\":\"n\",\"scopes\":[\"producer\"]}"),
                403,
                "insufficient_scope",
                "scopes must be among those of the calling key, worker, admin: not producer.");
    }

    /// CB-014.
    @Test
    void a_finer_scope_is_passed_on_by_a_key_that_includes_it_and_by_no_other() {
        Reply manager = made(",\"scopes\":[\"admin\"]");
        Reply approver =
                by(manager)
                        .post(
                                "/v1/keys",
                                "{\"name\":\"n\",\"scopes\":[\"orchestration:approve\",\"read\"]}");
        assertThat(scopes(approver)).containsExactly("read", "orchestration:approve");
        assertThat(by(approver).get("/v1/tasks").status()).isEqualTo(200);
        assertThat(by(approver).post("/v1/tasks", "{\"type\":\"t\",\"payload\":{}}").status())
                .isEqualTo(403);
        // A part of a scope is not the scope.
        refused(
                by(manager).post("/v1/keys", "{\"name\":\"n\",\"scopes\":[\"operator\"]}"),
                403,
                "insufficient_scope",
                "scopes must be among those of the calling key, admin: not operator.");
    }

    private static List<String> scopes(Reply reply) {
        return reply.at("/key/scopes").values().stream().map(JsonNode::asString).toList();
    }

    /// L-019: by the database's clock.
    @Test
    void a_key_stops_working_when_it_expires() {
        Reply days = made(",\"expiresInDays\":2");
        Instant created = Instant.parse(days.text("/key/createdAt"));
        assertThat(days.text("/key/expiresAt")).isEqualTo(created.plus(Duration.ofDays(2)) + "");
        Reply moment = made(",\"expiresAt\":\"%s\"".formatted(created.plusSeconds(3600)));
        assertThat(by(moment).get("/v1/tasks").status()).isEqualTo(200);
        server.clock().advance(Duration.ofHours(2));
        assertThat(by(moment).get("/v1/tasks").error()).isEqualTo("invalid_api_key");
        assertThat(by(days).get("/v1/tasks").status()).isEqualTo(200);
        assertThat(api.get("/v1/keys/" + id(moment)).text("/key/status")).isEqualTo("expired");
        assertThat(api.get("/v1/keys/" + id(days)).text("/key/status")).isEqualTo("live");
    }

    /// L-019: both bounds, from either side, counted by the server's clock.
    @ParameterizedTest
    @CsvSource({
        "50, false",
        "-100, false",
        "70, true",
        "315359900, true",
        "315360100, false",
        "31536000000, false"
    })
    void an_expiry_is_one_minute_to_ten_years_ahead(long seconds, boolean allowed) {
        Instant now = Instant.parse(made("").text("/key/createdAt"));
        Reply reply =
                api.post(
                        "/v1/keys",
                        "{\"name\":\"n\",\"expiresAt\":\"%s\"}"
                                .formatted(now.plusSeconds(seconds)));
        if (allowed) {
            assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        } else {
            refused(
                    reply,
                    400,
                    "invalid_request",
                    "expiresAt must be 1 minute to 3650 days ahead; the server's time is ");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {}                                            | name
                    {"name":""}                                   | name must be 1 to 200 characters
                    {"name":5}                                    | name must be a string
                    {"name":"n","scopes":[]}                      | scopes must have 1 to 10 elements
                    {"name":"n","scopes":["root"]}                | must be one of producer, worker
                    {"name":"n","scopes":["admin","admin"]}       | scopes must not hold one value twice
                    {"name":"n","scopes":"admin"}                 | scopes must be a JSON array
                    {"name":"n","expiresInDays":0}                | expiresInDays must be an integer from 1 to 3650
                    {"name":"n","expiresInDays":3651}             | expiresInDays must be an integer from 1 to 3650
                    {"name":"n","expiresAt":"tomorrow"}           | expiresAt must be an ISO 8601
                    {"name":"n","expiresInDays":1,"expiresAt":"2999-01-01T00:00:00Z"} | expiresAt and expiresInDays must not both
                    {"name":"n","id":"x"}                         | id
                    """)
    void a_bad_request_for_a_key_names_the_field_and_makes_nothing(String body, String words) {
        long before = server.database().value("select count(*) from api_key");
        refused(api.post("/v1/keys", body), 400, "invalid_request", words);
        assertThat(server.database().<Long>value("select count(*) from api_key")).isEqualTo(before);
    }

    @Test
    void a_name_may_be_two_hundred_characters_and_no_more() {
        String longest = "é".repeat(200);
        Reply made = api.post("/v1/keys", "{\"name\":\"%s\"}".formatted(longest));
        assertThat(made.text("/key/name")).isEqualTo(longest);
        refused(
                api.post("/v1/keys", "{\"name\":\"%s\"}".formatted(longest + "e")),
                400,
                "invalid_request",
                "200");
    }

    /// L-019.
    @Test
    void the_bound_on_live_keys_is_named_and_revoked_ones_do_not_count() {
        String last = "";
        for (int i = 1; i < 100; i++) {
            last = id(made(""));
        }
        refused(api.post("/v1/keys", "{\"name\":\"n\"}"), 400, "invalid_request", "100 live keys");
        revoke(last);
        made("");
    }

    /// L-019: newest first, page by page, with those that no longer work.
    @Test
    void the_list_has_every_key_once_with_its_status() {
        var ids = new ArrayList<String>();
        ids.add(ownId());
        for (int i = 0; i < 4; i++) {
            ids.addFirst(id(made(",\"expiresInDays\":" + (i + 1))));
        }
        revoke(ids.get(1));
        server.clock().advance(Duration.ofDays(1).plusMinutes(1));
        var listed = new ArrayList<JsonNode>();
        String cursor = "";
        int pages = 0;
        do {
            Reply page = api.get("/v1/keys?limit=2" + cursor);
            page.at("/keys").values().forEach(listed::add);
            cursor = "&cursor=" + page.text("/nextCursor");
            pages++;
        } while (!cursor.equals("&cursor="));
        assertThat(pages).isEqualTo(3);
        assertThat(listed).extracting(key -> key.get("id").asString()).isEqualTo(ids);
        assertThat(listed)
                .extracting(key -> key.get("status").asString())
                .containsExactly("live", "revoked", "live", "expired", "live");
        assertThat(listed)
                .extracting(key -> key.get("current").asBoolean())
                .containsExactly(false, false, false, false, true);
        assertThat(listed.get(1).get("revokedAt").isString()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=0", "limit=201", "limit=x", "cursor=x", "cursor="})
    void a_bad_page_is_refused(String query) {
        String field = query.replaceFirst("=.*", "");
        refused(api.get("/v1/keys?" + query), 400, "invalid_request", field);
    }

    /// L-019.
    @Test
    void a_name_can_be_changed_and_nothing_else() {
        String id = id(made(""));
        Reply renamed = api.send("PATCH", "/v1/keys/" + id, "{\"name\":\"renamed\"}");
        assertThat(renamed.text("/key/name")).isEqualTo("renamed");
        assertThat(api.get("/v1/keys/" + id).text("/key/name")).isEqualTo("renamed");
        for (String field : List.of("scopes", "expiresAt", "expiresInDays")) {
            refused(
                    api.send(
                            "PATCH",
                            "/v1/keys/" + id,
                            "{\"name\":\"n\",\"%s\":null}".formatted(field)),
                    400,
                    "invalid_request",
                    field);
        }
        refused(api.send("PATCH", "/v1/keys/" + id, "{}"), 400, "invalid_request", "name");
        assertThat(api.get("/v1/keys/" + id).text("/key/name")).isEqualTo("renamed");
    }

    /// L-019, T-012.
    @Test
    void a_revoked_key_opens_nothing_and_revoking_it_again_says_the_same() {
        Reply made = made("");
        Reply revoked = revoke(id(made));
        assertThat(revoked.status()).isEqualTo(200);
        assertThat(revoked.text("/key/status")).isEqualTo("revoked");
        assertThat(by(made).get("/v1/tasks").error()).isEqualTo("invalid_api_key");
        server.clock().advance(Duration.ofMinutes(1));
        Reply again = revoke(id(made));
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.body()).isEqualTo(revoked.body());
    }

    /// L-019.
    @Test
    void the_last_key_that_can_manage_keys_is_not_revoked() {
        made(",\"scopes\":[\"producer\",\"worker\",\"operator\"]");
        Reply refused = revoke(ownId());
        refused(refused, 409, "last_key", "make another one first");
        JsonNode action = refused.at("/agent_contract/next_actions/0");
        assertThat(action.get("action").asString()).isEqualTo("authenticate");
        assertThat(action.get("method").asString()).isEqualTo("POST");
        assertThat(action.get("endpoint").asString()).isEqualTo("/v1/keys");
        assertThat(action.get("available").asBoolean()).isTrue();

        Reply other = made("");
        Reply own = revoke(ownId());
        assertThat(own.status()).isEqualTo(200);
        assertThat(own.at("/key/current").asBoolean()).isTrue();
        assertThat(own.text("/agent_contract/next_actions/0/action")).isEqualTo("authenticate");
        assertThat(api.get("/v1/tasks").error()).isEqualTo("invalid_api_key");
        assertThat(by(other).get("/v1/tasks").status()).isEqualTo(200);
    }

    /// L-019: both at once, each by the other key.
    @Test
    void two_keys_that_revoke_each_other_at_once_leave_one() {
        for (int round = 0; round < 10; round++) {
            TaskApi fresh = server.account();
            Reply second = fresh.api().post("/v1/keys", "{\"name\":\"second\"}");
            String firstId = fresh.api().get("/v1/keys").at("/keys/1/id").asString();
            List<Reply> replies =
                    Parallel.run(
                            2,
                            i ->
                                    () ->
                                            i == 0
                                                    ? fresh.api()
                                                            .send(
                                                                    "DELETE",
                                                                    "/v1/keys/" + id(second),
                                                                    null)
                                                    : by(second)
                                                            .send(
                                                                    "DELETE",
                                                                    "/v1/keys/" + firstId,
                                                                    null));
            // The loser is told that it is the last, or finds itself revoked already.
            assertThat(replies).filteredOn(reply -> reply.status() == 200).hasSize(1);
            assertThat(replies)
                    .filteredOn(reply -> reply.status() != 200)
                    .extracting(Reply::error)
                    .isSubsetOf("last_key", "invalid_api_key");
            int open = fresh.api().get("/v1/tasks").status();
            int other = by(second).get("/v1/tasks").status();
            assertThat(List.of(open, other)).containsExactlyInAnyOrder(200, 401);
        }
    }

    /// L-019, T-009: another account's key is no key.
    @Test
    void keys_of_others_and_what_is_no_id_are_not_found() {
        String theirs = server.account().api().get("/v1/keys").at("/keys/0/id").asString();
        for (String id : List.of(theirs, Requests.NO_TASK, "x", "%00", "1".repeat(3000))) {
            boolean impossible = id.equals("%00");
            for (String method : List.of("GET", "DELETE", "PATCH")) {
                Reply reply =
                        api.send(
                                method,
                                "/v1/keys/" + id,
                                method.equals("PATCH") ? "{\"name\":\"n\"}" : null);
                assertThat(reply.status()).as(method + " " + id).isEqualTo(404);
                assertThat(reply.error()).isEqualTo(impossible ? "not_found" : "key_not_found");
            }
        }
        assertThat(api.get("/v1/keys").at("/keys").size()).isEqualTo(1);
    }

    @Test
    void the_last_use_of_a_key_is_listed() {
        Reply made = made("");
        assertThat(made.at("/key/lastUsedAt").isNull()).isTrue();
        by(made).get("/v1/tasks");
        server.kernel().kernel().sweepOnce("key-use");
        assertThat(Instant.parse(api.get("/v1/keys/" + id(made)).text("/key/lastUsedAt")))
                .isAfterOrEqualTo(Instant.parse(made.text("/key/createdAt")));
    }
}
