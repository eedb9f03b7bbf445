package io.orchestrion.server.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.door.PageCursor;
import io.orchestrion.server.tasks.Requests;
import io.orchestrion.server.tasks.Storage;
import io.orchestrion.server.tasks.TaskStatus;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// L-024: operations on many tasks as the door shows them.
class OperationsTest {
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

    private Reply post(String body) {
        return tasks.api().post("/v1/operations", body);
    }

    private Reply made(String action, String filter) {
        Reply reply = post("{\"action\":\"%s\",\"filter\":{%s}}".formatted(action, filter));
        assertThat(reply.status()).as(reply.text()).isEqualTo(202);
        return reply;
    }

    private static String id(Reply reply) {
        return reply.text("/operation/id");
    }

    private Reply get(String id) {
        Reply reply = tasks.api().get("/v1/operations/" + id);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply;
    }

    private static void run() {
        while (server.kernel().kernel().sweepOnce("bulk-runner") > 0) {
            // Each pass comes further, and the last one finds nothing.
        }
    }

    /// Runs it and returns how it ended, after a moment in which what was there before is past.
    private Reply done(String action, String filter) {
        server.clock().advance(Duration.ofMillis(5));
        Reply made = made(action, filter);
        run();
        Reply ended = get(id(made));
        assertThat(ended.text("/operation/state")).isEqualTo("finished");
        return ended;
    }

    @Test
    void an_operation_is_accepted_worked_off_and_looked_at() {
        List<String> mine = List.of(tasks.create("mail"), tasks.create("mail"));
        String other = tasks.create("other");
        Reply made =
                post(
                        "{\"action\":\"cancel\",\"filter\":{\"type\":\"mail\"},\"max\":100,"
                                + "\"reason\":\"wrong list\"}");
        assertThat(made.status()).isEqualTo(202);
        assertThat(made.header("Location")).isEqualTo("/v1/operations/" + id(made));
        assertThat(made.text("/operation/action")).isEqualTo("cancel");
        assertThat(made.at("/operation/filter").toString())
                .isEqualTo("{\"status\":\"pending\",\"type\":\"mail\"}");
        assertThat(made.text("/operation/state")).isEqualTo("running");
        assertThat(made.number("/operation/matched")).isEqualTo(2);
        assertThat(made.at("/operation/matchedAtLeast").asBoolean()).isFalse();
        assertThat(made.number("/operation/max")).isEqualTo(100);
        assertThat(made.text("/operation/reason")).isEqualTo("wrong list");
        assertThat(made.text("/operation/requestedBy/name")).isEqualTo("test");
        assertThat(made.at("/operation/finishedAt").isNull()).isTrue();
        assertThat(made.text("/agent_contract/next_actions/0/action")).isEqualTo("check_operation");
        assertThat(made.text("/agent_contract/next_actions/0/endpoint"))
                .isEqualTo("/v1/operations/" + id(made));
        run();
        Reply ended = get(id(made));
        assertThat(ended.text("/operation/state")).isEqualTo("finished");
        assertThat(ended.number("/operation/done")).isEqualTo(2);
        assertThat(ended.text("/operation/finishedAt")).isNotEmpty();
        assertThat(mine).allMatch(task -> tasks.status(task).equals("cancelled"));
        assertThat(tasks.status(other)).isEqualTo("pending");
    }

    /// S-02: the guidance alone leads from the request to the end.
    @Test
    void the_guidance_of_a_running_operation_leads_to_how_it_stands() {
        Reply made = made("cancel", "\"type\":\"t\"");
        Reply followed = tasks.api().get(made.text("/agent_contract/next_actions/0/endpoint"));
        assertThat(followed.text("/operation/id")).isEqualTo(id(made));
        assertThat(followed.number("/agent_contract/next_actions/0/retry_after_seconds"))
                .isPositive();
    }

    @Test
    void requeue_brings_dead_letters_back_with_all_their_attempts() {
        String dead = Requests.task(tasks, TaskStatus.DEAD_LETTER);
        String completed = Requests.task(tasks, TaskStatus.COMPLETED);
        assertThat(done("requeue", "\"status\":\"dead_letter\"").number("/operation/done"))
                .isEqualTo(1);
        assertThat(tasks.status(dead)).isEqualTo("pending");
        assertThat(tasks.get(dead).number("/task/attemptCount")).isZero();
        assertThat(tasks.status(completed)).isEqualTo("completed");
        assertThat(tasks.claim("sdead_letter").text("/task/id")).isEqualTo(dead);
    }

    @Test
    void purge_takes_ended_tasks_away_and_nothing_else() {
        var gone = new ArrayList<String>();
        for (TaskStatus status : TaskStatus.values()) {
            String id = Requests.task(tasks, status);
            if (status.terminal()) {
                gone.add(id);
            }
        }
        Api keyed = tasks.api().with("Idempotency-Key", "k");
        Reply created = keyed.post("/v1/tasks", "{\"type\":\"a\",\"payload\":{}}");
        tasks.verb(created.text("/task/id"), "cancel");
        gone.add(created.text("/task/id"));
        Instant ahead = Instant.parse(created.text("/task/createdAt")).plusSeconds(60);
        Reply ended = done("purge", "\"finishedBefore\":\"%s\"".formatted(ahead));
        assertThat(ended.number("/operation/done")).isEqualTo(gone.size());
        assertThat(gone).allMatch(task -> tasks.get(task).status() == 404);
        List<String> left = Storage.of(server).tasksOf(tasks.accountId());
        assertThat(left).noneMatch(row -> gone.stream().anyMatch(row::contains));
        assertThat(Storage.of(server).taskCount(tasks.accountId())).isEqualTo(2);
        assertThat(keyed.post("/v1/tasks", "{\"type\":\"a\",\"payload\":{}}").status())
                .as("the stored answer went with its task")
                .isEqualTo(201);
    }

    /// A task that was cancelled while it waited for its retry never comes back.
    @Test
    void cancelled_job_in_back_off_that_retries_for_ever() {
        String waiting = tasks.create("retried", "\"maxAttempts\":10");
        tasks.verb(waiting, "claim");
        tasks.verb(waiting, "fail", "{\"retry_after_seconds\":60,\"reason\":\"host down\"}");
        Reply ended = done("cancel", "\"reasonContains\":\"host\"");
        assertThat(ended.number("/operation/done")).isEqualTo(1);
        for (int i = 0; i < 3; i++) {
            server.clock().advance(Duration.ofMinutes(2));
            server.kernel().kernel().sweepOnce("due-promoter");
            server.sweepLeases();
            assertThat(tasks.claim("retried").at("/task").isNull()).isTrue();
            assertThat(tasks.status(waiting)).isEqualTo("cancelled");
        }
        assertThat(tasks.verb(waiting, "claim").error()).isEqualTo("invalid_transition");
        assertThat(tasks.verb(waiting, "requeue").error()).isEqualTo("invalid_transition");
    }

    /// A filter that slipped must not become an operation on everything.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {"action":"cancel"}                                           | filter is required
                    {"action":"cancel","filter":null}                             | filter is required
                    {"action":"cancel","filter":{}}                               | filter must hold at least one condition
                    {"action":"purge","filter":{"type":null}}                     | filter must hold at least one condition
                    {"action":"cancel","filter":{"status":"completed"}}           | filter.status must be one that can be cancelled: pending
                    {"action":"cancel","filter":{"status":"claimed"}}             | filter.status must be one that can be cancelled: pending
                    {"action":"requeue","filter":{"status":"cancelled"}}          | filter.status must be one that can be requeued: dead_letter
                    {"action":"purge","filter":{"status":"pending"}}              | filter.status must be one that can be purged: completed, dead_letter, cancelled
                    {"action":"cancel","filter":{"finishedBefore":"2030-01-01T00:00:00Z"}} | filter.finishedBefore fits no task that can be cancelled
                    {"action":"purge","filter":{"createdAfter":"2030-01-02T00:00:00Z","createdBefore":"2030-01-01T00:00:00Z"}} | filter.createdAfter must be earlier
                    {"action":"purge","filter":{"ids":[]}}                        | filter.ids
                    {"action":"purge","filter":{"ids":["7"]}}                     | filter.ids
                    {"action":"purge","filter":{"reasonContains":""}}             | filter.reasonContains
                    {"action":"purge","filter":{"queue":"x"}}                     | filter.queue is not a known field
                    {"action":"stop","filter":{"type":"x"}}                       | action
                    {"action":"purge","filter":{"type":"x"},"max":0}              | max
                    {"action":"purge","filter":{"type":"x"},"max":1000001}        | max
                    {"action":"purge","filter":{"type":"x"},"reason":""}          | reason
                    """)
    void what_can_fit_nothing_or_everything_is_refused(String body, String words) {
        String pending = tasks.create("x");
        Reply refused = post(body);
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.error()).isEqualTo("invalid_request");
        assertThat(refused.text("/message")).contains(words);
        assertThat(tasks.api().get("/v1/operations").at("/operations").size()).isZero();
        run();
        assertThat(tasks.status(pending)).isEqualTo("pending");
    }

    @Test
    void at_most_a_thousand_ids_are_named() {
        assertThat(post(named(1001)).status()).isEqualTo(400);
        assertThat(post(named(1000)).status()).isEqualTo(202);
    }

    private static String named(int count) {
        return "{\"action\":\"cancel\",\"filter\":{\"ids\":[%s]}}"
                .formatted(
                        IntStream.range(0, count)
                                .mapToObj(_ -> "\"" + UUID.randomUUID() + "\"")
                                .collect(Collectors.joining(",")));
    }

    /// Each condition by itself and all of them at once.
    @Test
    void all_conditions_must_fit() {
        String early = dead("a", "cannot reach host");
        server.clock().advance(Duration.ofMinutes(10));
        String late = dead("a", "out of memory");
        String otherType = dead("b", "cannot reach host");
        server.clock().advance(Duration.ofSeconds(1));
        Instant between = Instant.parse(tasks.get(late).text("/task/createdAt"));
        fits("\"type\":\"a\"", early, late);
        fits("\"createdBefore\":\"%s\"".formatted(between), early);
        fits("\"createdAfter\":\"%s\"".formatted(between), late, otherType);
        fits("\"finishedBefore\":\"%s\"".formatted(between), early);
        fits("\"reasonContains\":\"reach\"", early, otherType);
        fits("\"reasonContains\":\"REACH\"");
        fits("\"reasonContains\":\"%\"");
        fits("\"ids\":[\"%s\",\"%s\"]".formatted(late, Requests.NO_TASK), late);
        fits(
                "\"status\":\"dead_letter\",\"type\":\"b\",\"reasonContains\":\"host\",\"ids\":[\"%s\",\"%s\"]"
                        .formatted(early, otherType),
                otherType);
    }

    private String dead(String type, String reason) {
        String id = tasks.create(type, "\"maxAttempts\":1");
        tasks.verb(id, "claim");
        tasks.verb(id, "fail", "{\"reason\":\"%s\"}".formatted(reason));
        return id;
    }

    /// As a dry run says it, which is what an operation would be about.
    private void fits(String filter, String... ids) {
        Reply preview =
                post("{\"action\":\"requeue\",\"filter\":{%s},\"dryRun\":true}".formatted(filter));
        assertThat(preview.status()).as(preview.text()).isEqualTo(200);
        assertThat(preview.at("/taskIds").values())
                .as(filter)
                .extracting(node -> node.asString())
                .containsExactly(ids);
        assertThat(preview.number("/matched")).isEqualTo(ids.length);
    }

    @Test
    void a_dry_run_counts_shows_the_oldest_and_changes_nothing() {
        var ids = new ArrayList<String>();
        for (int i = 0; i < 25; i++) {
            ids.add(tasks.create("many"));
        }
        server.clock().advance(Duration.ofMillis(5));
        var before = Storage.of(server).rowCounts();
        Reply preview =
                tasks.api()
                        .with("Idempotency-Key", "dry")
                        .post(
                                "/v1/operations",
                                "{\"action\":\"cancel\",\"filter\":{\"type\":\"many\"},"
                                        + "\"dryRun\":true}");
        assertThat(preview.status()).isEqualTo(200);
        assertThat(preview.at("/dryRun").asBoolean()).isTrue();
        assertThat(preview.number("/matched")).isEqualTo(25);
        assertThat(preview.at("/matchedAtLeast").asBoolean()).isFalse();
        assertThat(preview.at("/taskIds").values())
                .extracting(node -> node.asString())
                .containsExactlyElementsOf(ids.subList(0, 20));
        run();
        assertThat(Storage.of(server).rowCounts()).isEqualTo(before);
        assertThat(tasks.status(ids.getFirst())).isEqualTo("pending");
    }

    /// The same key with the same body is the same operation, however often and however late.
    @Test
    void a_repeated_request_makes_no_second_operation() {
        Api keyed = tasks.api().with("Idempotency-Key", "once");
        String body = "{\"action\":\"cancel\",\"filter\":{\"type\":\"r\"}}";
        Reply first = keyed.post("/v1/operations", body);
        run();
        Reply again =
                keyed.post(
                        "/v1/operations",
                        "{\"filter\": {\"type\": \"r\"}, \"action\": \"cancel\"}");
        assertThat(again.status()).isEqualTo(202);
        assertThat(again.text()).isEqualTo(first.text());
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        Reply other =
                keyed.post("/v1/operations", "{\"action\":\"cancel\",\"filter\":{\"type\":\"s\"}}");
        assertThat(other.error()).isEqualTo("idempotency_conflict");
        assertThat(keyed.post("/v1/tasks", "{\"type\":\"r\",\"payload\":{}}").status())
                .as("a key for a task is another one")
                .isEqualTo(201);
        assertThat(tasks.api().get("/v1/operations").at("/operations").size()).isEqualTo(1);
        Reply bad =
                tasks.api().with("Idempotency-Key", "x".repeat(256)).post("/v1/operations", body);
        assertThat(bad.text("/message")).contains("Idempotency-Key must be 1 to 255");
    }

    @Test
    void parallel_requests_with_one_key_make_one_operation() {
        Api keyed = tasks.api().with("Idempotency-Key", "rush");
        List<Reply> replies =
                Parallel.run(
                        8,
                        _ ->
                                () ->
                                        keyed.post(
                                                "/v1/operations",
                                                "{\"action\":\"cancel\",\"filter\":{\"type\":\"r\"}}"));
        assertThat(replies).allMatch(reply -> reply.status() == 202);
        assertThat(replies.stream().map(OperationsTest::id).distinct()).hasSize(1);
        assertThat(tasks.api().get("/v1/operations").at("/operations").size()).isEqualTo(1);
    }

    @Test
    void the_eleventh_running_operation_is_refused_for_now() {
        for (int i = 0; i < 10; i++) {
            made("cancel", "\"type\":\"x\"");
        }
        Reply refused = post("{\"action\":\"cancel\",\"filter\":{\"type\":\"x\"}}");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.error()).isEqualTo("too_many_operations");
        assertThat(refused.text("/message")).contains("10 running operations");
        assertThat(refused.header("Retry-After")).isNotEmpty();
        run();
        made("cancel", "\"type\":\"x\"");
    }

    @Test
    void operations_are_listed_newest_first_in_pages() {
        var ids = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            server.clock().advance(Duration.ofMillis(5));
            ids.addFirst(id(made("cancel", "\"type\":\"x\"")));
        }
        var seen = new ArrayList<String>();
        String path = "/v1/operations?limit=2";
        while (!path.isEmpty()) {
            Reply page = tasks.api().get(path);
            page.at("/operations").values().forEach(each -> seen.add(each.get("id").asString()));
            String next = page.text("/nextCursor");
            path = next.isEmpty() ? "" : "/v1/operations?limit=2&cursor=" + next;
        }
        assertThat(seen).isEqualTo(ids);
        assertThat(tasks.api().get("/v1/operations?cursor=wrong").status()).isEqualTo(400);
    }

    @Test
    void a_stopped_operation_stays_stopped_and_an_ended_one_cannot_be_stopped() {
        String task = tasks.create("x");
        server.clock().advance(Duration.ofMillis(5));
        String id = id(made("cancel", "\"type\":\"x\""));
        Reply stopped = tasks.api().post("/v1/operations/" + id + "/cancel");
        assertThat(stopped.status()).isEqualTo(200);
        assertThat(stopped.text("/operation/state")).isEqualTo("cancelled");
        run();
        assertThat(tasks.status(task)).isEqualTo("pending");
        assertThat(tasks.api().post("/v1/operations/" + id + "/cancel").text())
                .isEqualTo(stopped.text());
        Reply ended = done("cancel", "\"type\":\"x\"");
        Reply refused = tasks.api().post("/v1/operations/" + id(ended) + "/cancel");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).isEqualTo("invalid_transition");
        assertThat(refused.text("/message")).contains("finished");
    }

    /// What went wrong inside is for the log, not for the answer.
    @Test
    void a_task_that_cannot_be_changed_is_named_without_what_is_inside() {
        String bad = tasks.create("x");
        tasks.create("x");
        server.database()
                .execute(
                        "create function no_such_change() returns trigger language plpgsql as $$"
                                + " begin raise exception 'inside'; end $$");
        server.database()
                .execute(
                        "create trigger no_such_change before update on work for each row when"
                                + " (old.id = '%s') execute function no_such_change()"
                                        .formatted(bad));
        try {
            Reply ended = done("cancel", "\"type\":\"x\"");
            assertThat(ended.number("/operation/done")).isEqualTo(1);
            assertThat(ended.number("/operation/failed")).isEqualTo(1);
            assertThat(ended.text("/operation/failures/0/taskId")).isEqualTo(bad);
            assertThat(ended.text("/operation/failures/0/reason"))
                    .isEqualTo("the store refused the change");
            assertThat(ended.text()).doesNotContain("inside");
        } finally {
            server.database().execute("drop trigger no_such_change on work");
        }
    }

    /// Neither a key of another account nor one that is for something else sees or stops them, and
    /// an operation reaches no further than its account (start-scoped token that lists others'
    /// jobs).
    @ParameterizedTest
    @ValueSource(strings = {"producer", "worker", "producer\",\"worker"})
    void start_scoped_token_that_lists_others_jobs(String scopes) {
        String task = tasks.create("mine");
        server.clock().advance(Duration.ofMillis(5));
        String id = id(made("cancel", "\"type\":\"nothing\""));
        Reply key =
                tasks.api()
                        .post("/v1/keys", "{\"name\":\"n\",\"scopes\":[\"%s\"]}".formatted(scopes));
        Api scoped = server.anonymous().withKey(key.text("/apiKey"));
        String body = "{\"action\":\"cancel\",\"filter\":{\"type\":\"mine\"}}";
        String dry = body.replace("}}", "},\"dryRun\":true}");
        List<Reply> refused =
                List.of(
                        scoped.post("/v1/operations", body),
                        scoped.post("/v1/operations", dry),
                        scoped.get("/v1/operations"),
                        scoped.get("/v1/operations/" + id),
                        scoped.post("/v1/operations/" + id + "/cancel"),
                        scoped.get("/v1/audit"));
        for (Reply reply : refused) {
            assertThat(reply.status()).as(reply.text()).isEqualTo(403);
            assertThat(reply.error()).isEqualTo("insufficient_scope");
            assertThat(reply.text()).doesNotContain(id, task);
        }
        TaskApi stranger = server.account();
        assertThat(stranger.api().get("/v1/operations").at("/operations").size()).isZero();
        for (Reply reply :
                List.of(
                        stranger.api().get("/v1/operations/" + id),
                        stranger.api().post("/v1/operations/" + id + "/cancel"))) {
            Reply unknown = stranger.api().get("/v1/operations/" + Requests.NO_TASK);
            assertThat(reply.status()).isEqualTo(404);
            assertThat(reply.error()).isEqualTo(unknown.error());
            assertThat(reply.text("/message")).isEqualTo(unknown.text("/message"));
        }
        Reply foreign =
                stranger.api()
                        .post(
                                "/v1/operations",
                                "{\"action\":\"cancel\",\"filter\":{\"ids\":[\"%s\"]}}"
                                        .formatted(task));
        assertThat(foreign.number("/operation/matched")).isZero();
        assertThat(stranger.api().post("/v1/operations", body).number("/operation/matched"))
                .isZero();
        String cursor = tasks.api().get("/v1/operations").text("/operations/0/id");
        assertThat(
                        stranger.api()
                                .get(
                                        "/v1/operations?cursor="
                                                + PageCursor.of(UUID.fromString(cursor)))
                                .at("/operations")
                                .size())
                .isZero();
        run();
        assertThat(tasks.status(task)).isEqualTo("pending");
    }
}
