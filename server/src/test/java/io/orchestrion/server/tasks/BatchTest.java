package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Many tasks at once: each item has its own result, and no item spoils another.
class BatchTest {
    private static final String TASK = "{\"type\":\"t\",\"payload\":{}}";
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

    private static String tasksOf(String... items) {
        return "{\"tasks\":[" + String.join(",", items) + "]}";
    }

    private static String tasksOf(int count) {
        return tasksOf(Collections.nCopies(count, TASK).toArray(String[]::new));
    }

    private static Reply create(TaskApi api, String body) {
        Reply reply = api.api().post("/v1/tasks/batch", body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply;
    }

    private static List<String> all(Reply reply, String list, String pointer) {
        return reply.at(list).values().stream().map(each -> each.at(pointer).asString("")).toList();
    }

    private static long count(TaskApi api) {
        return new Stored(server).tasksOf(api.accountId());
    }

    @Test
    void a_bad_item_does_not_spoil_the_others() {
        Reply reply =
                create(
                        tasks,
                        tasksOf(
                                TASK,
                                "{\"type\":\"t\"}",
                                "7",
                                "{\"type\":\"t\",\"payload\":{},\"scheduledAt\":\"2001-01-01T00:00:00Z\"}",
                                "{\"type\":\"u\",\"payload\":{\"a\":1},\"priority\":7}"));
        assertThat(all(reply, "/results", "/status"))
                .containsExactly("created", "error", "error", "error", "created");
        assertThat(all(reply, "/results", "/index")).containsExactly("0", "1", "2", "3", "4");
        assertThat(all(reply, "/results", "/error/code"))
                .containsExactly("", "invalid_request", "invalid_request", "invalid_request", "");
        assertThat(reply.text("/results/1/error/message")).contains("payload");
        assertThat(reply.text("/results/3/error/message")).contains("scheduledAt");
        assertThat(reply.number("/created")).isEqualTo(2);
        assertThat(reply.number("/failed")).isEqualTo(3);
        assertThat(count(tasks)).isEqualTo(2);
        Reply made = tasks.get(reply.text("/results/4/task/id"));
        assertThat(made.at("/task")).isEqualTo(reply.at("/results/4/task"));
        assertThat(made.number("/task/payload/a")).isEqualTo(1);
    }

    @Test
    void a_thousand_are_made_at_once_and_in_order() {
        String items =
                IntStream.range(0, 1000)
                        .mapToObj(i -> "{\"type\":\"t\",\"payload\":{\"n\":" + i + "}}")
                        .collect(Collectors.joining(","));
        Reply reply = create(tasks, "{\"tasks\":[" + items + "]}");
        assertThat(reply.number("/created")).isEqualTo(1000);
        for (int i = 0; i < 1000; i++) {
            assertThat(reply.number("/results/" + i + "/task/payload/n")).isEqualTo(i);
        }
        assertThat(new HashSet<>(all(reply, "/results", "/task/id"))).hasSize(1000);
    }

    @Test
    void a_batch_has_its_bounds() {
        for (String body : List.of("{\"tasks\":[]}", tasksOf(1001), "{}", "{\"tasks\":{}}")) {
            Reply bad = tasks.api().post("/v1/tasks/batch", body);
            assertThat(bad.status()).isEqualTo(400);
            assertThat(bad.text("/message")).contains("tasks");
        }
        String large = "{\"type\":\"t\",\"payload\":{\"x\":\"" + "x".repeat(60_000) + "\"}}";
        Reply tooMuch =
                tasks.api()
                        .post(
                                "/v1/tasks/batch",
                                tasksOf(Collections.nCopies(150, large).toArray(String[]::new)));
        assertThat(tooMuch.status()).isEqualTo(400);
        assertThat(tooMuch.text("/message")).contains("8388608");
        assertThat(count(tasks)).isZero();
    }

    @Test
    void the_same_batch_with_the_same_key_makes_the_same_tasks() {
        TaskApi keyed =
                new TaskApi(
                        tasks.api().with("Idempotency-Key", "k".repeat(255)),
                        tasks.key(),
                        tasks.accountId());
        String batch = tasksOf(TASK, TASK, "{}");
        Reply first = create(keyed, batch);
        Reply again = create(keyed, batch);
        assertThat(all(again, "/results", "/task/id"))
                .isEqualTo(all(first, "/results", "/task/id"));
        assertThat(again.at("/results/0/task")).isEqualTo(first.at("/results/0/task"));
        assertThat(first.header("Idempotency-Replayed")).isEmpty();
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(count(tasks)).isEqualTo(2);
        Reply other = keyed.api().post("/v1/tasks/batch", tasksOf(3));
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.error()).isEqualTo("idempotency_conflict");
        assertThat(count(tasks)).isEqualTo(2);
    }

    @Test
    void an_item_s_own_key_means_the_same_as_alone() {
        String item = "{\"type\":\"t\",\"payload\":{},\"idempotencyKey\":\"one\"}";
        Reply reply = create(tasks, tasksOf(item, item, item.replace("{}", "{\"a\":1}"), TASK));
        assertThat(reply.text("/results/1/task/id")).isEqualTo(reply.text("/results/0/task/id"));
        assertThat(reply.at("/results/1/replayed").asBoolean()).isTrue();
        assertThat(reply.text("/results/2/error/code")).isEqualTo("idempotency_conflict");
        Reply alone = tasks.api().post("/v1/tasks", item);
        assertThat(alone.text("/task/id")).isEqualTo(reply.text("/results/0/task/id"));
        assertThat(count(tasks)).isEqualTo(2);
    }

    /// A batch of n is n requests to the limit, and all of them or none.
    @Test
    void a_batch_counts_by_its_items() {
        TaskApi free = server.account("free");
        create(free, tasksOf(100));
        Reply refused = free.api().post("/v1/tasks/batch", tasksOf(21));
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.error()).isEqualTo("rate_limited");
        assertThat(refused.text("/message")).contains("120", "20 are left", "21");
        assertThat(refused.header("Retry-After")).isNotEmpty();
        assertThat(count(free)).isEqualTo(100);
        // What is too little for many is enough for fewer.
        create(free, tasksOf(19));
        assertThat(free.create("t")).isNotEmpty();
        assertThat(free.api().post("/v1/tasks", TASK).error()).isEqualTo("rate_limited");
        assertThat(free.api().post("/v1/tasks/batch", tasksOf(1)).error())
                .isEqualTo("rate_limited");
    }

    @Test
    void what_the_month_has_left_is_given_and_no_more() {
        TaskApi free = server.account("free");
        free.create("t");
        leave(free, 2);
        Reply reply = create(free, tasksOf(5));
        assertThat(all(reply, "/results", "/status"))
                .containsExactlyInAnyOrder("created", "created", "error", "error", "error");
        assertThat(all(reply, "/results", "/error/code"))
                .filteredOn(code -> !code.isEmpty())
                .containsOnly("quota_exceeded");
        // With nothing made, the guidance is that of the reason.
        Reply none = create(free, tasksOf(1));
        assertThat(none.number("/created")).isZero();
        assertThat(all(none, "/agent_contract/next_actions", "/action")).contains("upgrade_plan");
    }

    private static void leave(TaskApi api, int left) {
        long month = server.kernel().kernel().standings().plans().free().maxTasksPerMonth();
        server.database()
                .execute(
                        "update usage_month set tasks = ? where account_id = ?",
                        month - left,
                        UUID.fromString(api.accountId()));
    }

    @Test
    void several_are_claimed_kept_alive_and_ended_together() {
        create(tasks, tasksOf(4));
        String claim = "{\"type\":\"t\",\"max\":3,\"claimId\":\"" + UUID.randomUUID() + "\"}";
        Reply claimed = tasks.api().post("/v1/tasks/batch/claim", claim);
        assertThat(claimed.status()).as(claimed.text()).isEqualTo(200);
        assertThat(claimed.at("/claims").size()).isEqualTo(3);
        Reply again = tasks.api().post("/v1/tasks/batch/claim", claim);
        assertThat(again.at("/claims")).isEqualTo(claimed.at("/claims"));
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");

        String beats = "{\"items\":[" + item(claimed, 0, "") + "," + item(claimed, 1, "") + ",{}]}";
        Reply beat = tasks.api().post("/v1/tasks/batch/heartbeat", beats);
        assertThat(all(beat, "/results", "/status")).containsExactly("ok", "ok", "error");

        String ends =
                "{\"items\":["
                        + item(claimed, 0, ",\"result\":{\"n\":1}")
                        + ",{\"id\":\"%s\"},{\"id\":\"mine\"},".formatted(UUID.randomUUID())
                        + item(claimed, 1, "")
                                .replaceFirst(
                                        "\"leaseToken\":\"[^\"]*\"",
                                        "\"leaseToken\":\"" + UUID.randomUUID() + "\"")
                        + "]}";
        Reply ended = tasks.api().post("/v1/tasks/batch/complete", ends);
        assertThat(all(ended, "/results", "/status"))
                .containsExactly("ok", "error", "error", "error");
        assertThat(all(ended, "/results", "/error/code"))
                .containsExactly("", "task_not_found", "task_not_found", "lease_expired");
        assertThat(ended.text("/results/0/task/status")).isEqualTo("completed");
        assertThat(ended.number("/results/0/task/result/n")).isEqualTo(1);
        Reply repeated = tasks.api().post("/v1/tasks/batch/complete", ends);
        assertThat(repeated.at("/results/0/task")).isEqualTo(ended.at("/results/0/task"));
        assertThat(repeated.at("/results/0/replayed").asBoolean()).isTrue();
        // The same said alone is the same, too.
        Reply alone =
                tasks.verb(
                        claimed.text("/claims/0/task/id"),
                        "complete",
                        "{\"leaseToken\":\"%s\",\"result\":{\"n\":1}}"
                                .formatted(claimed.text("/claims/0/leaseToken")));
        assertThat(alone.header("Idempotency-Replayed")).isEqualTo("true");

        Reply failed =
                tasks.api()
                        .post(
                                "/v1/tasks/batch/fail",
                                "{\"items\":[" + item(claimed, 1, ",\"reason\":\"no\"") + "]}");
        assertThat(failed.text("/results/0/task/status")).isEqualTo("pending");
        assertThat(failed.text("/results/0/task/lastFailureReason")).isEqualTo("no");
    }

    private static String item(Reply claimed, int place, String more) {
        return "{\"id\":\"%s\",\"leaseToken\":\"%s\"%s}"
                .formatted(
                        claimed.text("/claims/" + place + "/task/id"),
                        claimed.text("/claims/" + place + "/leaseToken"),
                        more);
    }

    @Test
    void an_empty_claim_says_so_and_the_wait_and_the_bounds_hold() {
        Reply empty =
                tasks.api().post("/v1/tasks/batch/claim", "{\"type\":\"no\",\"waitSeconds\":1}");
        assertThat(empty.at("/claims").isEmpty()).isTrue();
        assertThat(empty.at("/agent_contract/task_claimable").asBoolean()).isFalse();
        Reply bad = tasks.api().post("/v1/tasks/batch/claim", "{\"type\":\"no\",\"max\":101}");
        assertThat(bad.status()).isEqualTo(400);
        assertThat(bad.text("/message")).contains("max", "100");
    }

    /// The address of a batch is not that of a task called batch.
    @Test
    void the_literal_path_wins_over_an_id() {
        assertThat(tasks.api().post("/v1/tasks/batch/claim", "{}").error())
                .isEqualTo("invalid_request");
        assertThat(tasks.api().get("/v1/tasks/batch").status()).isEqualTo(405);
        assertThat(tasks.verb(UUID.randomUUID().toString(), "claim").error())
                .isEqualTo("task_not_found");
    }

    private List<JsonNode> lines(TaskApi api, String key, String body) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + server.port() + "/v1/tasks/batch"))
                        .timeout(Duration.ofSeconds(60))
                        .header("Authorization", "Bearer " + api.key())
                        .header("Content-Type", "application/x-ndjson")
                        .POST(HttpRequest.BodyPublishers.ofString(body));
        if (!key.isEmpty()) {
            request.header("Idempotency-Key", key);
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type").orElse(""))
                    .isEqualTo("application/x-ndjson");
            return response.body().lines().map(line -> JsonMapper.shared().readTree(line)).toList();
        }
    }

    @Test
    void lines_are_made_chunk_by_chunk_and_a_broken_one_is_one_result() throws Exception {
        var body = new StringBuilder();
        for (int i = 0; i < 1200; i++) {
            body.append(
                    i == 700
                            ? "{\"type\": broken\n"
                            : "{\"type\":\"t\",\"payload\":{\"n\":" + i + "}}\n");
            if (i % 100 == 0) {
                body.append("\r\n");
            }
        }
        List<JsonNode> answer = lines(tasks, "", body.toString());
        assertThat(answer).hasSize(1201);
        for (int i = 0; i < 1200; i++) {
            assertThat(answer.get(i).get("index").asInt()).isEqualTo(i);
            if (i == 700) {
                assertThat(answer.get(i).at("/error/code").asString()).isEqualTo("invalid_request");
            } else {
                assertThat(answer.get(i).at("/task/payload/n").asInt()).isEqualTo(i);
            }
        }
        JsonNode summary = answer.getLast().get("summary");
        assertThat(summary.get("lines").asInt()).isEqualTo(1200);
        assertThat(summary.get("created").asInt()).isEqualTo(1199);
        assertThat(summary.get("failed").asInt()).isEqualTo(1);
        assertThat(summary.get("complete").asBoolean()).isTrue();
        assertThat(answer.getLast().at("/agent_contract/next_actions").isEmpty()).isFalse();
        assertThat(count(tasks)).isEqualTo(1199);
    }

    @Test
    void lines_sent_again_with_the_same_key_make_the_same_tasks() throws Exception {
        String body = (TASK + "\n").repeat(3);
        List<JsonNode> first = lines(tasks, "stream", body);
        List<JsonNode> again = lines(tasks, "stream", body + TASK);
        assertThat(again.subList(0, 3))
                .extracting(line -> line.at("/task/id").asString())
                .isEqualTo(
                        first.subList(0, 3).stream()
                                .map(line -> line.at("/task/id").asString())
                                .toList());
        assertThat(count(tasks)).isEqualTo(4);
    }

    @Test
    void lines_hold_no_key_and_count_against_the_limit() throws Exception {
        String spoilt = "{\"type\":\"t\",\"payload\":{\"k\":\"" + tasks.key() + "\"}}\n";
        List<JsonNode> answer = lines(tasks, "", spoilt + TASK);
        assertThat(answer.getFirst().get("status").asString()).isEqualTo("error");
        assertThat(answer.get(1).get("status").asString()).isEqualTo("created");

        TaskApi free = server.account("free");
        List<JsonNode> some = lines(free, "", (TASK + "\n").repeat(121));
        assertThat(some.get(119).at("/status").asString()).isEqualTo("created");
        assertThat(some.get(120).at("/error/code").asString()).isEqualTo("rate_limited");
        assertThat(count(free)).isEqualTo(120);
    }
}
