package io.orchestrion.server.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.tasks.Requests;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.util.List;

/// Who did what to an account, as the account reads it.
class AuditLogTest {
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

    private List<JsonNode> entries() {
        Reply page = api.get("/v1/audit");
        assertThat(page.status()).as(page.text()).isEqualTo(200);
        return List.copyOf(page.at("/entries").values());
    }

    private List<String> actions() {
        return entries().stream().map(entry -> entry.get("action").asString()).toList();
    }

    /// L-019, L-021: whatever is done to a key is written down, once, and with who did it.
    @Test
    void the_life_of_a_key_is_in_the_log() {
        Reply made =
                api.post(
                        "/v1/keys",
                        "{\"name\":\"robot\",\"scopes\":[\"worker\",\"admin\"],"
                                + "\"expiresInDays\":30}");
        String id = made.text("/key/id");
        Api robot = server.anonymous().withKey(made.text("/apiKey"));
        robot.send("PATCH", "/v1/keys/" + id, "{\"name\":\"crawler\"}");
        robot.send("PATCH", "/v1/keys/" + id, "{\"name\":\"crawler\"}");
        robot.send("DELETE", "/v1/keys/" + id, null);
        api.send("DELETE", "/v1/keys/" + id, null);
        api.send("PATCH", "/v1/keys/" + Requests.NO_TASK, "{\"name\":\"none\"}");
        assertThat(actions())
                .containsExactly("key.created", "key.created", "key.renamed", "key.revoked");
        JsonNode created = entries().get(1);
        assertThat(created.at("/id").asInt()).isEqualTo(2);
        assertThat(created.at("/actor/type").asString()).isEqualTo("key");
        assertThat(created.at("/actor/name").asString()).isEqualTo("test");
        assertThat(created.at("/subject/type").asString()).isEqualTo("key");
        assertThat(created.at("/subject/id").asString()).isEqualTo(id);
        assertThat(created.at("/detail/name").asString()).isEqualTo("robot");
        assertThat(created.at("/detail/scopes").asString()).isEqualTo("admin, worker");
        assertThat(created.at("/detail/expiresAt").asString()).startsWith("20");
        JsonNode renamed = entries().get(2);
        assertThat(renamed.at("/actor/id").asString()).isEqualTo(id);
        assertThat(renamed.at("/detail").toString())
                .isEqualTo("{\"to\":\"crawler\",\"from\":\"robot\"}");
        JsonNode revoked = entries().get(3);
        assertThat(revoked.at("/actor/name").asString())
                .as("as it was called at the time")
                .isEqualTo("crawler");
        assertThat(api.get("/v1/audit").text())
                .doesNotContain(made.text("/apiKey").substring(10, 26))
                .doesNotContain(account.key().substring(10, 26));
    }

    /// What is refused has not happened.
    @Test
    void what_was_refused_is_not_in_the_log() {
        String own = api.get("/v1/keys").text("/keys/0/id");
        assertThat(api.send("DELETE", "/v1/keys/" + own, null).error()).isEqualTo("last_key");
        api.post("/v1/keys", "{\"name\":\"\"}");
        api.post("/v1/operations", "{\"action\":\"purge\",\"filter\":{}}");
        api.post(
                "/v1/operations",
                "{\"action\":\"purge\",\"filter\":{\"type\":\"x\"},\"dryRun\":true}");
        assertThat(actions()).containsExactly("key.created");
    }

    /// The same transaction: where the entry cannot be written, nothing is done.
    @ParameterizedTest
    @ValueSource(strings = {"create", "rename", "revoke", "operation"})
    void nothing_is_done_that_cannot_be_written_down(String what) {
        String id = api.post("/v1/keys", "{\"name\":\"first\"}").text("/key/id");
        server.database()
                .execute(
                        "alter table audit add constraint no_more check (account_id <> '%s' or seq"
                                        .formatted(account.accountId())
                                + " < 3)");
        try {
            Reply refused =
                    switch (what) {
                        case "create" -> api.post("/v1/keys", "{\"name\":\"second\"}");
                        case "rename" ->
                                api.send("PATCH", "/v1/keys/" + id, "{\"name\":\"second\"}");
                        case "revoke" -> api.send("DELETE", "/v1/keys/" + id, null);
                        default ->
                                api.post(
                                        "/v1/operations",
                                        "{\"action\":\"purge\",\"filter\":{\"type\":\"x\"}}");
                    };
            assertThat(refused.status()).isEqualTo(500);
        } finally {
            server.database().execute("alter table audit drop constraint no_more");
        }
        Reply keys = api.get("/v1/keys");
        assertThat(keys.at("/keys").size()).isEqualTo(2);
        assertThat(keys.text("/keys/0/name")).isEqualTo("first");
        assertThat(keys.text("/keys/0/status")).isEqualTo("live");
        assertThat(api.get("/v1/operations").at("/operations").size()).isZero();
        assertThat(actions()).hasSize(2);
    }

    /// L-024: with the words of who asked, and what came of it.
    @Test
    void an_operation_is_in_the_log_from_its_beginning_to_its_end() {
        account.create("x");
        String body =
                "{\"action\":\"cancel\",\"filter\":{\"type\":\"x\"},\"reason\":\"wrong list\"}";
        String first = api.post("/v1/operations", body).text("/operation/id");
        String second = api.post("/v1/operations", body).text("/operation/id");
        api.post("/v1/operations/" + second + "/cancel");
        api.post("/v1/operations/" + second + "/cancel");
        server.kernel().kernel().sweepOnce("bulk-runner");
        List<JsonNode> entries = entries().subList(1, 5);
        assertThat(entries)
                .extracting(
                        entry -> entry.at("/action").asString(),
                        entry -> entry.at("/subject/id").asString(),
                        entry -> entry.at("/actor/type").asString())
                .containsExactly(
                        tuple("operation.created", first, "key"),
                        tuple("operation.created", second, "key"),
                        tuple("operation.cancelled", second, "key"),
                        tuple("operation.finished", first, "server"));
        assertThat(entries.getFirst().at("/detail/reason").asString()).isEqualTo("wrong list");
        assertThat(entries.getLast().at("/detail/done").asInt()).isEqualTo(1);
    }

    @Test
    void the_log_is_read_oldest_first_and_the_other_way_on_request() {
        for (int i = 0; i < 4; i++) {
            api.post("/v1/keys", "{\"name\":\"n%d\"}".formatted(i));
        }
        Reply page = api.get("/v1/audit?limit=2");
        assertThat(ids(page)).containsExactly(1, 2);
        assertThat(page.number("/nextAfter")).isEqualTo(2);
        assertThat(ids(api.get("/v1/audit?after=2&limit=2"))).containsExactly(3, 4);
        Reply last = api.get("/v1/audit?after=4&limit=2");
        assertThat(ids(last)).containsExactly(5);
        assertThat(last.at("/nextAfter").isNull()).isTrue();
        assertThat(ids(api.get("/v1/audit?after=5"))).isEmpty();
        assertThat(ids(api.get("/v1/audit?order=newest&limit=2"))).containsExactly(5, 4);
        assertThat(ids(api.get("/v1/audit?order=newest&after=4"))).containsExactly(3, 2, 1);
        for (String bad : List.of("after=-1", "after=x", "limit=0", "limit=201", "order=any")) {
            assertThat(api.get("/v1/audit?" + bad).status()).as(bad).isEqualTo(400);
        }
    }

    private static List<Integer> ids(Reply page) {
        return page.at("/entries").values().stream().map(entry -> entry.get("id").asInt()).toList();
    }

    @Test
    void an_account_reads_its_own_log_only() {
        api.post("/v1/keys", "{\"name\":\"mine\"}");
        assertThat(server.account().api().get("/v1/audit").text()).doesNotContain("mine");
    }

    @Test
    void nothing_but_reading_is_offered() {
        for (String method : List.of("POST", "PUT", "PATCH", "DELETE")) {
            assertThat(api.send(method, "/v1/audit", null).status()).isEqualTo(405);
        }
    }
}
