package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
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
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Tasks that wait for others.
class DependencyTest {
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

    private static String on(String... parents) {
        return "\"dependsOn\":["
                + Arrays.stream(parents)
                        .map(id -> "\"" + id + "\"")
                        .collect(Collectors.joining(","))
                + "]";
    }

    private static String rule(String word) {
        return ",\"onDependencyFailure\":\"" + word + "\"";
    }

    private String child(String rule, String... parents) {
        return tasks.create("child", on(parents) + rule(rule));
    }

    private void resolve() {
        while (server.kernel().kernel().sweepOnce("dependency-resolver") > 0) {
            // Until a pass finds nothing.
        }
    }

    private void end(String id, String how) {
        switch (how) {
            case "completed" -> {
                tasks.verb(id, "claim");
                tasks.verb(id, "complete");
            }
            case "dead_letter" -> {
                tasks.verb(id, "claim");
                tasks.verb(id, "fail");
            }
            case "expired" -> {
                tasks.verb(id, "claim");
                server.clock().advance(Duration.ofHours(2));
                server.sweepLeases();
            }
            case "cancelled" -> tasks.verb(id, "cancel");
            default -> throw new IllegalArgumentException(how);
        }
        resolve();
    }

    private String parent() {
        return tasks.create("parent", "\"maxAttempts\":1");
    }

    private static List<String> texts(Reply reply, String pointer) {
        return reply.at(pointer).values().stream().map(JsonNode::asString).toList();
    }

    private static List<String> actions(Reply reply) {
        return reply.at("/agent_contract/next_actions").values().stream()
                .map(
                        action ->
                                action.get("action").asString()
                                        + (action.get("available").asBoolean() ? "" : " not now"))
                .toList();
    }

    /// L-011: neither by type nor by id, until the last of them is completed.
    @Test
    void a_task_is_claimable_once_all_it_depends_on_are_completed() {
        String one = parent();
        String two = parent();
        String id = child("cancel", one, two);
        Reply shown = tasks.get(id);
        assertThat(shown.text("/task/status")).isEqualTo("pending");
        assertThat(texts(shown, "/task/dependsOn")).containsExactly(one, two);
        assertThat(texts(shown, "/task/waitingFor")).containsExactly(one, two);
        assertThat(shown.text("/task/onDependencyFailure")).isEqualTo("cancel");
        assertThat(actions(shown)).containsExactly("check_task_status", "claim_task not now");

        end(one, "completed");
        assertThat(texts(tasks.get(id), "/task/waitingFor")).containsExactly(two);
        assertThat(tasks.claim("child").at("/task").isNull()).isTrue();
        Reply refused = tasks.verb(id, "claim");
        assertThat(refused.error()).isEqualTo("not_yet_claimable");
        assertThat(refused.text("/message")).contains("waits for other tasks");
        assertThat(actions(refused)).containsExactly("check_task_status");

        end(two, "completed");
        Reply claimed = tasks.claim("child");
        assertThat(claimed.text("/task/id")).isEqualTo(id);
        assertThat(texts(claimed, "/task/dependsOn")).containsExactly(one, two);
        assertThat(claimed.at("/task/waitingFor").isMissingNode()).isTrue();
        assertThat(stored.story(id))
                .containsExactly(
                        "submit null waiting", "release waiting ready", "lease ready running");
    }

    /// L-011: what has been completed already need not be waited for.
    @Test
    void a_task_whose_dependencies_are_completed_is_claimable_at_once() {
        String one = parent();
        end(one, "completed");
        String id = child("cancel", one, one);
        assertThat(texts(tasks.get(id), "/task/dependsOn")).containsExactly(one);
        assertThat(stored.story(id)).containsExactly("submit null ready");
        assertThat(tasks.claim("child").text("/task/id")).isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_time_still_ahead_is_waited_for_after_the_dependencies(boolean endedBefore) {
        String one = parent();
        if (endedBefore) {
            end(one, "completed");
        }
        Instant now = Instant.ofEpochMilli(stored.nowMs());
        String id =
                tasks.create(
                        "child", on(one) + ",\"scheduledAt\":\"" + now.plusSeconds(600) + "\"");
        if (!endedBefore) {
            assertThat(actions(tasks.get(id)))
                    .containsExactly("check_task_status", "claim_task not now");
            end(one, "completed");
        }
        assertThat(actions(tasks.get(id)))
                .containsExactly("retry_after_wait", "claim_task not now");
        assertThat(tasks.claim("child").at("/task").isNull()).isTrue();
        server.clock().advance(Duration.ofSeconds(601));
        assertThat(tasks.claim("child").text("/task/id")).isEqualTo(id);
    }

    /// L-011: unknown ids, whoever has them.
    @Test
    void an_unknown_id_is_refused_by_name_and_nothing_is_made() {
        String mine = parent();
        String theirs = server.account().create("parent");
        for (String unknown : List.of(theirs, Requests.NO_TASK)) {
            Reply refused =
                    tasks.api()
                            .with("Idempotency-Key", "k")
                            .post(
                                    "/v1/tasks",
                                    "{\"type\":\"t\",\"payload\":{},%s}"
                                            .formatted(on(mine, unknown)));
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.error()).isEqualTo("invalid_request");
            assertThat(refused.text("/message")).contains("dependsOn[1]", unknown);
        }
        assertThat(stored.tasksOf(tasks.accountId())).isEqualTo(1);
        // The key is free again: the request can be put right.
        Reply right =
                tasks.api()
                        .with("Idempotency-Key", "k")
                        .post(
                                "/v1/tasks",
                                "{\"type\":\"t\",\"payload\":{},%s}".formatted(on(mine)));
        assertThat(right.status()).isEqualTo(201);
    }

    /// L-011: bad input is named with its field and bound.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    "dependsOn":[]                          | dependsOn
                    "dependsOn":"x"                         | dependsOn must be a JSON array
                    "dependsOn":["x"]                       | dependsOn[0]
                    "dependsOn":[1]                         | dependsOn[0]
                    "onDependencyFailure":"cancel"          | onDependencyFailure needs dependsOn
                    {on},"onDependencyFailure":"explode"    | cancel, ignore, hold
                    {on},"waitingFor":[]                    | waitingFor
                    """)
    void bad_terms_are_refused(String fields, String message) {
        String body =
                "{\"type\":\"t\",\"payload\":{},%s}"
                        .formatted(fields.replace("{on}", on(parent())));
        Reply refused = tasks.api().post("/v1/tasks", body);
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.text("/message")).contains(message);
    }

    @Test
    void a_hundred_dependencies_are_allowed_and_no_more() {
        String[] parents = IntStream.range(0, 101).mapToObj(_ -> parent()).toArray(String[]::new);
        String id = child("cancel", Arrays.copyOf(parents, 100));
        assertThat(tasks.get(id).at("/task/waitingFor").size()).isEqualTo(100);
        Reply refused =
                tasks.api()
                        .post(
                                "/v1/tasks",
                                "{\"type\":\"t\",\"payload\":{},%s}".formatted(on(parents)));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/message")).contains("dependsOn", "100");
    }

    /// L-012: each way to end badly with each rule, once before and once after the child is made.
    @ParameterizedTest
    @CsvSource({
        "dead_letter, cancel, cancelled", "dead_letter, ignore, pending", "dead_letter, hold, held",
        "expired, cancel, cancelled", "expired, ignore, pending", "expired, hold, held",
        "cancelled, cancel, cancelled", "cancelled, ignore, pending", "cancelled, hold, held"
    })
    void a_failed_dependency_is_followed_by_the_stated_rule(String how, String rule, String then) {
        for (boolean before : new boolean[] {true, false}) {
            String one = parent();
            if (before) {
                end(one, how);
            }
            String id = child(rule, one);
            if (!before) {
                end(one, how);
            }
            Reply shown = tasks.get(id);
            assertThat(shown.text("/task/status"))
                    .isEqualTo(then.equals("cancelled") ? "cancelled" : "pending");
            assertThat(shown.at("/task/waitingFor").isMissingNode()).isTrue();
            switch (then) {
                case "cancelled" -> {
                    assertThat(shown.text("/task/lastFailureReason"))
                            .isEqualTo("dependency " + one + " did not complete");
                    assertThat(detail(id, "cancel")).contains(one);
                }
                case "held" -> {
                    assertThat(shown.text("/task/heldBecause"))
                            .contains(one, how.equals("cancelled") ? "cancelled" : "dead_letter");
                    assertThat(detail(id, "hold")).contains(one);
                    assertThat(tasks.verb(id, "claim").text("/message")).contains("held");
                }
                default -> assertThat(tasks.verb(id, "claim").status()).isEqualTo(200);
            }
        }
    }

    private String detail(String id, String event) {
        return server.database()
                .value(
                        "select detail from work_event where work_id = ?::uuid and event = ?",
                        id,
                        event);
    }

    /// L-012: the answer to the create itself says what became of it.
    @Test
    void a_task_whose_dependency_has_failed_is_created_and_cancelled_in_one() {
        String one = parent();
        end(one, "cancelled");
        String body = "{\"type\":\"t\",\"payload\":{},%s}".formatted(on(one));
        Reply made = tasks.api().with("Idempotency-Key", "k").post("/v1/tasks", body);
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.text("/task/status")).isEqualTo("cancelled");
        assertThat(made.text("/task/lastFailureReason")).contains(one);
        assertThat(actions(made)).containsExactly("check_task_status", "create_task");
        Reply again = tasks.api().with("Idempotency-Key", "k").post("/v1/tasks", body);
        assertThat(again.text()).isEqualTo(made.text());
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    }

    /// L-012: those that wait for a cancelled one follow in their turn.
    @Test
    void a_cancelled_dependent_takes_its_own_dependents_along() {
        String one = parent();
        String two = child("cancel", one);
        String three = child("cancel", two);
        String four = child("ignore", three);
        end(one, "dead_letter");
        assertThat(tasks.status(two)).isEqualTo("cancelled");
        assertThat(tasks.status(three)).isEqualTo("cancelled");
        assertThat(tasks.get(three).text("/task/lastFailureReason")).contains(two);
        assertThat(tasks.claim("child").text("/task/id")).isEqualTo(four);
    }

    /// L-012: released by hand, whatever became of the failed one.
    @Test
    void a_held_task_is_released_by_somebody() {
        String one = parent();
        String id = child("hold", one);
        assertThat(tasks.verb(id, "release").error()).isEqualTo("invalid_transition");
        end(one, "dead_letter");
        assertThat(actions(tasks.get(id)))
                .containsExactly("check_task_status", "release_task", "claim_task not now");
        Reply released = tasks.verb(id, "release");
        assertThat(released.status()).isEqualTo(200);
        assertThat(released.text("/task/status")).isEqualTo("pending");
        assertThat(released.at("/task/heldBecause").isMissingNode()).isTrue();
        assertThat(tasks.verb(id, "release").error()).isEqualTo("invalid_transition");
        assertThat(tasks.claim("child").text("/task/id")).isEqualTo(id);
    }

    /// L-011, L-012: a release is about what failed; what is open is still waited for.
    @Test
    void a_released_task_waits_for_those_that_are_still_open() {
        String one = parent();
        String two = parent();
        String three = parent();
        String id = child("hold", one, two, three);
        end(one, "dead_letter");
        Reply released = tasks.verb(id, "release");
        assertThat(texts(released, "/task/waitingFor")).containsExactly(two, three);
        end(two, "cancelled");
        assertThat(tasks.get(id).text("/task/heldBecause")).contains(two).doesNotContain(one);
        tasks.verb(id, "release");
        assertThat(tasks.claim("child").at("/task").isNull()).isTrue();
        end(three, "completed");
        assertThat(tasks.claim("child").text("/task/id")).isEqualTo(id);
    }

    /// L-012: and by the dependency itself, once it is requeued and completed.
    @Test
    void a_held_task_is_released_when_its_requeued_dependency_completes() {
        String one = parent();
        String two = parent();
        String id = child("hold", one, two);
        end(one, "dead_letter");
        tasks.verb(one, "requeue");
        resolve();
        assertThat(tasks.get(id).text("/task/heldBecause")).contains(one);
        end(one, "completed");
        assertThat(texts(tasks.get(id), "/task/waitingFor")).containsExactly(two);
        end(two, "completed");
        assertThat(tasks.claim("child").text("/task/id")).isEqualTo(id);
    }

    /// L-012: it has not failed any more when the dependents are told.
    @Test
    void a_dependency_requeued_before_its_dependents_were_told_cancels_none() {
        String one = parent();
        String id = child("cancel", one);
        tasks.verb(one, "claim");
        tasks.verb(one, "fail");
        tasks.verb(one, "requeue");
        resolve();
        assertThat(texts(tasks.get(id), "/task/waitingFor")).containsExactly(one);
        end(one, "completed");
        assertThat(tasks.claim("child").text("/task/id")).isEqualTo(id);
    }

    @Test
    void a_waiting_task_can_be_cancelled_and_stays_so() {
        String one = parent();
        String id = child("cancel", one);
        assertThat(tasks.verb(id, "cancel").text("/task/status")).isEqualTo("cancelled");
        end(one, "completed");
        assertThat(tasks.status(id)).isEqualTo("cancelled");
        assertThat(tasks.verb(id, "requeue").error()).isEqualTo("invalid_transition");
    }

    /// L-012: seen on the list, too.
    @Test
    void the_list_shows_what_is_waited_for() {
        String one = parent();
        child("hold", one);
        Reply list = tasks.api().get("/v1/tasks?type=child");
        assertThat(texts(list, "/tasks/0/waitingFor")).containsExactly(one);
        assertThat(list.text("/tasks/0/onDependencyFailure")).isEqualTo("hold");
        Reply plain = tasks.api().get("/v1/tasks?type=parent");
        assertThat(plain.at("/tasks/0").has("dependsOn")).isFalse();
    }

    @Test
    void a_stranger_cannot_release() {
        String one = parent();
        String id = child("hold", one);
        end(one, "cancelled");
        TaskApi stranger = server.account();
        assertThat(stranger.verb(id, "release").error()).isEqualTo("task_not_found");
        assertThat(tasks.get(id).text("/task/heldBecause")).contains(one);
    }

    /// The parent goes by its own time; the held child still says why it is held.
    @Test
    void a_parent_is_purged_while_its_held_child_waits() {
        TaskApi free = server.account("free");
        String one = free.create("parent", "\"maxAttempts\":1");
        String id = free.create("child", on(one) + rule("hold"));
        free.verb(one, "cancel");
        resolve();
        server.clock().advance(Duration.ofDays(8));
        while (server.kernel().kernel().sweepOnce("purger") > 0) {
            // Until a pass finds nothing.
        }
        assertThat(free.get(one).status()).isEqualTo(404);
        assertThat(free.get(id).text("/task/heldBecause")).contains(one);
        free.verb(id, "release");
        free.verb(id, "claim");
        assertThat(free.verb(id, "complete").status()).isEqualTo(200);
        server.clock().advance(Duration.ofDays(8));
        while (server.kernel().kernel().sweepOnce("purger") > 0) {
            // Until a pass finds nothing.
        }
        assertThat(rows("work_dependency", free)).isZero();
        assertThat(rows("parent_end", free)).isZero();
    }

    private static long rows(String table, TaskApi of) {
        return server.database()
                .value(
                        "select count(*) from " + table + " where account_id = ?::uuid",
                        of.accountId());
    }
}
