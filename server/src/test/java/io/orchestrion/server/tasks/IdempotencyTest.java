package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.identity.ApiKey;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;

class IdempotencyTest {
    private static final String BODY = "{\"type\":\"keyed\",\"payload\":{\"n\":1}}";

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
    private final Stored stored = new Stored(server);

    private Reply create(String key, String body) {
        return tasks.api().with("Idempotency-Key", key).post("/v1/tasks", body);
    }

    private static String withKey(String key) {
        return "{\"idempotencyKey\":\"" + key + "\"," + BODY.substring(1);
    }

    private long tasksMade() {
        return stored.tasksOf(tasks.accountId());
    }

    /// T-157, T-161: word for word, and no second task.
    @Test
    void the_same_request_with_the_same_key_has_the_same_answer_and_no_second_effect() {
        Reply first = create("k", BODY);
        assertThat(first.status()).isEqualTo(201);
        Reply again = create("k", BODY);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.text()).isEqualTo(first.text());
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(first.header("Idempotency-Replayed")).isEmpty();
        assertThat(tasksMade()).isEqualTo(1);
    }

    /// T-161: without a key every request is a task.
    @Test
    void without_a_key_the_same_request_makes_two_tasks() {
        tasks.api().post("/v1/tasks", BODY);
        tasks.api().post("/v1/tasks", BODY);
        assertThat(tasksMade()).isEqualTo(2);
    }

    /// T-158: each replays the other.
    @Test
    void the_key_in_the_header_and_in_the_body_is_one_key() {
        Reply byHeader = create("k", BODY);
        Reply byBody = tasks.api().post("/v1/tasks", withKey("k"));
        Reply byBoth = create("k", withKey("k"));
        assertThat(byBody.status()).isEqualTo(201);
        assertThat(byBody.text()).isEqualTo(byHeader.text());
        assertThat(byBoth.text()).isEqualTo(byHeader.text());
        assertThat(tasksMade()).isEqualTo(1);
    }

    /// T-158.
    @Test
    void two_different_keys_are_refused() {
        Reply refused = create("one", withKey("two"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.error()).isEqualTo("invalid_request");
        assertThat(tasksMade()).isZero();
        assertThat(create("one", BODY).status()).isEqualTo(201);
    }

    /// T-159.
    @Test
    void a_key_has_at_most_255_characters() {
        String longest = "k".repeat(255);
        Reply first = create(longest, BODY);
        assertThat(first.status()).isEqualTo(201);
        assertThat(tasks.api().post("/v1/tasks", withKey(longest)).text()).isEqualTo(first.text());
        assertThat(create(longest + "k", BODY).status()).isEqualTo(400);
        assertThat(tasks.api().post("/v1/tasks", withKey(longest + "k")).status()).isEqualTo(400);
        assertThat(tasksMade()).isEqualTo(1);
    }

    /// T-160: in the body, where JSON can say any character.
    @ParameterizedTest
    @ValueSource(
            strings = {"\\u0000", "\\t", "\\u001f", "\\u007f", "\\u0080", "é", "\\ud83d\\ude00"})
    void a_key_in_the_body_is_printable_ascii(String bad) {
        Reply refused = tasks.api().post("/v1/tasks", withKey("a" + bad + "b"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.error()).isEqualTo("invalid_request");
        assertThat(tasksMade()).isZero();
    }

    /// T-160: in the header, past any client that would mend it.
    @ParameterizedTest
    @ValueSource(ints = {0x01, 0x09, 0x1f, 0x7f, 0x80, 0xe9, 0xff})
    void a_key_in_the_header_is_printable_ascii(int bad) throws IOException {
        assertThat(rawCreate("a" + (char) bad + "b")).startsWith("HTTP/1.1 400 ");
        assertThat(tasksMade()).isZero();
    }

    /// T-160: its two ends are allowed.
    @Test
    void a_key_may_hold_every_printable_character() throws IOException {
        var all = new StringBuilder();
        for (char c = 0x21; c <= 0x7e; c++) {
            all.append(c);
        }
        assertThat(rawCreate("a b" + all)).startsWith("HTTP/1.1 201 ");
        assertThat(tasksMade()).isEqualTo(1);
    }

    private String rawCreate(String key) throws IOException {
        try (var socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(10_000);
            String request =
                    "POST /v1/tasks HTTP/1.1\r\nHost: test\r\nConnection: close\r\n"
                            + "Content-Type: application/json\r\nAuthorization: Bearer "
                            + tasks.key()
                            + "\r\nIdempotency-Key: "
                            + key
                            + "\r\nContent-Length: "
                            + BODY.length()
                            + "\r\n\r\n"
                            + BODY;
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    /// An empty header is not the absence of one.
    @Test
    void an_empty_key_is_refused() {
        assertThat(create("", BODY).status()).isEqualTo(400);
        assertThat(tasks.api().post("/v1/tasks", withKey("")).status()).isEqualTo(400);
        assertThat(tasksMade()).isZero();
    }

    /// T-162.
    @Test
    void the_answer_is_repeated_whatever_became_of_the_task() {
        Reply first = create("k", BODY);
        String id = first.text("/task/id");
        tasks.verb(id, "claim");
        assertThat(create("k", BODY).text()).isEqualTo(first.text());
        tasks.verb(id, "complete");
        Reply again = create("k", BODY);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.text()).isEqualTo(first.text());
        actionsHold(again);
    }

    /// T-162: also for a task whose time was ahead and has passed.
    @Test
    void the_answer_to_a_scheduled_task_is_repeated_after_its_time() {
        String at = Instant.ofEpochMilli(stored.nowMs() + 5_000).toString();
        String body = BODY.replaceFirst("\\{", "{\"scheduledAt\":\"" + at + "\",");
        Reply first = create("k", body);
        assertThat(first.status()).isEqualTo(201);
        server.clock().advance(Duration.ofSeconds(60));
        Reply again = create("k", body);
        assertThat(again.text()).isEqualTo(first.text());
        actionsHold(again);
    }

    /// Every call that the answer offers as available still works.
    private void actionsHold(Reply reply) {
        assertThat(reply.at("/agent_contract/next_actions")).isNotEmpty();
        for (JsonNode action : reply.at("/agent_contract/next_actions")) {
            String endpoint = action.path("endpoint").asString();
            assertThat(action.path("available").asBoolean()).isTrue();
            Reply followed =
                    switch (action.path("action").asString()) {
                        case "claim_task" -> tasks.api().post(endpoint, "{\"type\":\"keyed\"}");
                        case "check_task_status" -> tasks.api().get(endpoint);
                        default -> throw new AssertionError("may become false: " + action);
                    };
            assertThat(followed.status()).isEqualTo(200);
        }
    }

    /// T-163.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"keyed\",\"payload\":{\"n\":2}}",
                "{\"type\":\"other\",\"payload\":{\"n\":1}}",
                "{\"type\":\"keyed\",\"payload\":{\"n\":1},\"priority\":1}",
                "{\"type\":\"keyed\",\"payload\":{\"n\":1},\"maxAttempts\":5}",
                "{\"type\":\"keyed\",\"payload\":{\"n\":1},\"leaseDurationSeconds\":60}",
                "{\"type\":\"keyed\",\"payload\":{\"n\":\"1\"}}",
                "{\"type\":\"keyed\",\"payload\":{\"n\":1,\"m\":null}}",
                "{\"type\":\"keyed\",\"payload\":{\"n\":[1]}}"
            })
    void another_request_with_the_same_key_is_a_conflict(String other) {
        Reply first = create("k", BODY);
        Reply conflict = create("k", other);
        assertThat(conflict.status()).isEqualTo(409);
        assertThat(conflict.error()).isEqualTo("idempotency_conflict");
        assertThat(tasksMade()).isEqualTo(1);
        assertThat(create("k", BODY).text()).isEqualTo(first.text());
    }

    /// T-163, T-164: the time too is part of the request, and the same moment is the same.
    @Test
    void the_schedule_is_part_of_the_request() {
        long at = stored.nowMs() / 1000 * 1000 + 60_000;
        String body = BODY.replaceFirst("\\{", "{\"scheduledAt\":\"%s\",");
        Instant utc = Instant.ofEpochMilli(at);
        Reply first = create("k", body.formatted(utc));
        assertThat(first.status()).isEqualTo(201);
        var elsewhere = utc.atOffset(ZoneOffset.ofHours(2));
        assertThat(create("k", body.formatted(elsewhere)).text()).isEqualTo(first.text());
        assertThat(create("k", body.formatted(utc.plusSeconds(1))).error())
                .isEqualTo("idempotency_conflict");
        assertThat(create("k", BODY).error()).isEqualTo("idempotency_conflict");
    }

    /// T-164.
    @ParameterizedTest
    @ValueSource(
            strings = {
                """
                {"payload":{"a":1,"b":{"c":2,"d":[1,2]}},"priority":3,"type":"keyed"}\
                """,
                """
                { "priority" : 3, "type" : "keyed",
                  "payload" : { "b" : { "d" : [ 1, 2 ], "c" : 2 }, "a" : 1 } }
                """,
                """
                {"type":"\\u006beyed","priority":3,"payload":{"a":1.0,"b":{"c":2,"d":[1,2]}}}\
                """
            })
    void the_layout_of_the_json_makes_no_difference(String laidOut) {
        Reply first =
                create(
                        "k",
                        """
                        {"type":"keyed","payload":{"a":1,"b":{"c":2,"d":[1,2]}},"priority":3}\
                        """);
        Reply again = create("k", laidOut);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.text()).isEqualTo(first.text());
        assertThat(tasksMade()).isEqualTo(1);
    }

    /// T-164: the order within an array is meant.
    @Test
    void the_order_of_an_array_makes_a_difference() {
        create("k", "{\"type\":\"keyed\",\"payload\":{\"a\":[1,2]}}");
        assertThat(create("k", "{\"type\":\"keyed\",\"payload\":{\"a\":[2,1]}}").error())
                .isEqualTo("idempotency_conflict");
    }

    /// What counts is what the caller said: a default that is said is another request.
    @Test
    void a_default_that_is_said_is_not_one_that_is_left_out() {
        create("k", BODY);
        String said = BODY.replaceFirst("\\{", "{\"priority\":0,");
        assertThat(create("k", said).error()).isEqualTo("idempotency_conflict");
    }

    /// T-169: two keys of one account, and two accounts.
    @Test
    void the_same_key_under_another_api_key_is_another_key() {
        ApiKey second = ApiKey.generate();
        server.database()
                .execute(
                        "insert into api_key (account_id, key_id, key_hash, name, scopes,"
                            + " created_ms) values (?, ?, ?, 'second', array['producer', 'worker'],"
                            + " 1)",
                        UUID.fromString(tasks.accountId()),
                        UUID.randomUUID(),
                        ApiKey.hash(second.reveal()));
        Reply mine = create("k", BODY);
        Reply bySecond =
                tasks.api()
                        .withKey(second.reveal())
                        .with("Idempotency-Key", "k")
                        .post("/v1/tasks", BODY);
        assertThat(bySecond.status()).isEqualTo(201);
        assertThat(bySecond.text("/task/id")).isNotEqualTo(mine.text("/task/id"));
        assertThat(tasksMade()).isEqualTo(2);
        TaskApi stranger = server.account();
        Reply theirs = stranger.api().with("Idempotency-Key", "k").post("/v1/tasks", BODY);
        assertThat(theirs.status()).isEqualTo(201);
        assertThat(theirs.text("/task/id")).isNotEqualTo(mine.text("/task/id"));
    }

    /// T-170: even a key that would be refused where it means something.
    @Test
    void on_every_other_endpoint_the_header_is_ignored() {
        var api = tasks.api().with("Idempotency-Key", "k".repeat(300));
        String first = tasks.create("keyed");
        String second = tasks.create("keyed");
        String claim = "{\"type\":\"keyed\"}";
        assertThat(api.post("/v1/tasks/claim", claim).text("/task/id")).isEqualTo(first);
        assertThat(api.post("/v1/tasks/claim", claim).text("/task/id")).isEqualTo(second);
        String path = "/v1/tasks/" + first;
        assertThat(api.get(path).status()).isEqualTo(200);
        assertThat(api.get("/v1/tasks").status()).isEqualTo(200);
        assertThat(api.post(path + "/heartbeat").status()).isEqualTo(200);
        assertThat(api.post(path + "/fail").status()).isEqualTo(200);
        assertThat(api.post(path + "/claim").status()).isEqualTo(200);
        assertThat(api.post(path + "/complete").status()).isEqualTo(200);
        assertThat(api.post(path + "/complete").status()).isEqualTo(409);
        assertThat(api.post(path + "/cancel").status()).isEqualTo(409);
        assertThat(api.post(path + "/requeue").status()).isEqualTo(409);
    }

    /// T-171: as far as validation goes.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"keyed\"}",
                "{\"type\":\"a b\",\"payload\":{}}",
                "{\"type\":\"keyed\",\"payload\":{},\"priority\":101}",
                "{\"type\":\"keyed\",\"payload\":{},\"scheduledAt\":\"2001-01-01T00:00:00Z\"}",
                "{\"type\":\"keyed\",\"payload\":{},\"scheduledAt\":\"2999-01-01T00:00:00Z\"}",
                "not json"
            })
    void a_request_that_is_refused_does_not_use_up_its_key(String bad) {
        assertThat(create("k", bad).status()).isEqualTo(400);
        assertThat(create("k", BODY).status()).isEqualTo(201);
        assertThat(tasksMade()).isEqualTo(1);
    }
}
