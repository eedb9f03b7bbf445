package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Locale;

class RoutesTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final TaskApi tasks = server.account();

    /// T-022, T-024, T-026, T-027, T-028, T-029, T-030, T-031: each verb does what it is for.
    @Test
    void every_verb_is_at_its_path() {
        Reply created = tasks.api().post("/v1/tasks", "{\"type\":\"a\",\"payload\":{\"n\":1}}");
        assertThat(created.status()).isEqualTo(201);
        String id = created.text("/task/id");
        assertThat(created.header("Location")).isEqualTo("/v1/tasks/" + id);
        assertThat(tasks.get(id).number("/task/payload/n")).isEqualTo(1);
        expect(tasks.verb(id, "claim"), id, "claimed");
        expect(tasks.verb(id, "heartbeat"), id, "claimed");
        expect(tasks.verb(id, "complete"), id, "completed");

        String poor = tasks.create("b", "\"maxAttempts\":1");
        expect(tasks.verb(poor, "claim"), poor, "claimed");
        expect(tasks.verb(poor, "fail"), poor, "dead_letter");
        expect(tasks.verb(poor, "requeue"), poor, "pending");
        expect(tasks.verb(poor, "cancel"), poor, "cancelled");
    }

    private void expect(Reply reply, String id, String status) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.text("/task/id")).isEqualTo(id);
        assertThat(reply.text("/task/status")).isEqualTo(status);
        assertThat(tasks.status(id)).isEqualTo(status);
    }

    /// T-025.
    @Test
    void claim_hands_out_the_next_task_of_the_type() {
        String id = tasks.create("wanted");
        tasks.create("other");
        expect(tasks.claim("wanted"), id, "claimed");
        assertThat(tasks.claim("wanted").at("/task").isNull()).isTrue();
    }

    /// T-035: the word is never an id.
    @Test
    void claim_is_never_taken_for_a_task_id() {
        tasks.create("claim");
        Reply get = tasks.api().get("/v1/tasks/claim");
        assertThat(get.status()).isEqualTo(405);
        assertThat(get.header("Allow")).isEqualTo("POST");
        for (String verb : new String[] {"complete", "fail", "heartbeat", "cancel", "claim"}) {
            assertThat(tasks.verb("claim", verb).status()).as(verb).isEqualTo(404);
        }
        assertThat(tasks.claim("claim").text("/task/status")).isEqualTo("claimed");
    }

    /// T-036, T-262: the shape is checked on every answer; also with no key at all.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/v1",
                "/v1/",
                "/v1/task",
                "/v1/tasks/",
                "/v1//tasks",
                "/V1/tasks",
                "/v1/tasks/00000000-0000-7000-8000-000000000000/",
                "/v1/tasks/00000000-0000-7000-8000-000000000000/finish",
                "/v1/tasks/00000000-0000-7000-8000-000000000000/claim/now",
                "/v1/tasks/a%2Fb",
                "/v1/tasks/%00",
                "/v1/tasks/..",
                "/v1/keys/",
                "/v1/keys/some/more",
                "/v2/tasks",
                "/healthz",
                "/health/live"
            })
    void an_unknown_path_is_not_found(String path) {
        for (String method : new String[] {"GET", "POST", "DELETE"}) {
            for (var caller : new Api[] {tasks.api(), server.anonymous()}) {
                Reply reply = caller.send(method, path, null);
                assertThat(reply.status()).as(method).isEqualTo(404);
                assertThat(reply.error()).isEqualTo("not_found");
                assertThat(reply.at("/agent_contract/retryable").asBoolean()).isFalse();
            }
        }
    }

    /// T-036, T-262.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    DELETE  | /v1/tasks                | GET, HEAD, POST
                    PUT     | /v1/tasks                | GET, HEAD, POST
                    OPTIONS | /v1/tasks                | GET, HEAD, POST
                    POST    | /v1/tasks/some           | GET, HEAD
                    PATCH   | /v1/tasks/some           | GET, HEAD
                    DELETE  | /v1/tasks/some           | GET, HEAD
                    GET     | /v1/tasks/claim          | POST
                    DELETE  | /v1/tasks/claim          | POST
                    GET     | /v1/tasks/some/claim     | POST
                    GET     | /v1/tasks/some/complete  | POST
                    PUT     | /v1/tasks/some/fail      | POST
                    GET     | /v1/tasks/some/heartbeat | POST
                    DELETE  | /v1/tasks/some/cancel    | POST
                    GET     | /v1/tasks/some/requeue   | POST
                    GET     | /v1/keys/register        | POST
                    DELETE  | /v1/keys/register        | POST
                    DELETE  | /v1/keys                 | GET, HEAD, POST
                    POST    | /v1/keys/some            | DELETE, GET, HEAD, PATCH
                    POST    | /health                  | GET, HEAD
                    """)
    void a_wrong_method_is_told_the_right_ones(String method, String path, String allowed) {
        Reply reply = tasks.api().send(method, path, null);
        assertThat(reply.status()).isEqualTo(405);
        assertThat(reply.error()).isEqualTo("method_not_allowed");
        assertThat(reply.header("Allow")).isEqualTo(allowed);
        assertThat(reply.at("/agent_contract/retryable").asBoolean()).isFalse();
    }

    /// T-039, T-242.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "0",
                "-1",
                "null",
                "%27%3B%20drop%20table%20work%3B--",
                "%E2%9C%93",
                "%F0%9F%98%80",
                "1-1-1-1-1",
                "00000000-0000-7000-8000-00000000000",
                "00000000-0000-7000-8000-0000000000000",
                "00000000-0000-7000-8000-00000000000g",
                "00000000000070008000000000000000",
                "%7B00000000-0000-7000-8000-000000000000%7D",
                "ffffffff-ffff-ffff-ffff-ffffffffffff"
            })
    void a_malformed_id_is_no_task(String id) {
        for (Requests request : Requests.aboutTask(id)) {
            Reply reply = request.by(tasks.api());
            assertThat(reply.status()).as(request.name()).isEqualTo(404);
            assertThat(reply.error()).as(request.name()).isEqualTo("task_not_found");
        }
    }

    /// T-039: however long.
    @Test
    void a_very_long_id_is_no_task() {
        assertThat(tasks.get("1".repeat(4000)).error()).isEqualTo("task_not_found");
    }

    /// T-039: letters of an id mean the same in either case.
    @Test
    void an_id_in_capitals_is_the_same_task() {
        String id = tasks.create("a");
        assertThat(tasks.get(id.toUpperCase(Locale.ROOT)).text("/task/id")).isEqualTo(id);
    }
}
