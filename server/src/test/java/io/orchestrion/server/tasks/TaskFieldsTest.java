package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/// The life of each field that the server writes.
class TaskFieldsTest {
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

    private Reply done(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply;
    }

    private static Instant time(Reply reply, String field) {
        return Instant.parse(reply.text("/task/" + field));
    }

    private static boolean isNull(Reply reply, String field) {
        return reply.at("/task/" + field).isNull();
    }

    private void loseLease() {
        server.clock().advance(Duration.ofSeconds(31));
        server.sweepLeases();
    }

    /// T-061.
    @Test
    void ids_are_unique_over_accounts_and_after_removal() {
        TaskApi other = server.account();
        List<String> ids =
                Parallel.run(8, i -> () -> manyIds(i % 2 == 0 ? tasks : other)).stream()
                        .flatMap(List::stream)
                        .toList();
        assertThat(ids).hasSize(200).doesNotHaveDuplicates();
        server.database().execute("delete from work");
        assertThat(manyIds(tasks)).doesNotContainAnyElementsOf(ids);
    }

    private static List<String> manyIds(TaskApi account) {
        return IntStream.range(0, 25).mapToObj(_ -> account.create("many")).toList();
    }

    /// T-062.
    @ParameterizedTest
    @EnumSource(TaskStatus.class)
    void the_status_is_one_of_five_words(TaskStatus status) {
        assertThat(tasks.status(Requests.task(tasks, status)))
                .isEqualTo(status.word())
                .isIn("pending", "claimed", "completed", "dead_letter", "cancelled");
    }

    /// T-063.
    @Test
    void the_attempt_count_counts_claims_since_creation_or_requeue() {
        String id = tasks.create("tried", "\"maxAttempts\":2");
        assertThat(tasks.get(id).number("/task/attemptCount")).isZero();
        assertThat(tasks.claim("tried").number("/task/attemptCount")).isEqualTo(1);
        assertThat(done(tasks.verb(id, "heartbeat")).number("/task/attemptCount")).isEqualTo(1);
        assertThat(done(tasks.verb(id, "fail")).number("/task/attemptCount")).isEqualTo(1);
        assertThat(done(tasks.verb(id, "claim")).number("/task/attemptCount")).isEqualTo(2);
        assertThat(done(tasks.verb(id, "fail")).number("/task/attemptCount")).isEqualTo(2);
        assertThat(done(tasks.verb(id, "requeue")).number("/task/attemptCount")).isZero();
        assertThat(done(tasks.verb(id, "claim")).number("/task/attemptCount")).isEqualTo(1);
        assertThat(tasks.get(id).number("/task/attemptCount")).isEqualTo(1);
    }

    /// T-064, T-079.
    @ParameterizedTest
    @ValueSource(strings = {"workerId", "worker_id"})
    void claimed_by_is_the_workers_name(String field) {
        String byType = tasks.create("named");
        String byId = tasks.create("named-too");
        String body = ",\"%s\":\"wörker 1\"}".formatted(field);
        Reply next = tasks.api().post("/v1/tasks/claim", "{\"type\":\"named\"" + body);
        Reply this1 = tasks.verb(byId, "claim", "{" + body.substring(1));
        assertThat(done(next).text("/task/claimedBy")).isEqualTo("wörker 1");
        assertThat(done(this1).text("/task/claimedBy")).isEqualTo("wörker 1");
        for (String id : List.of(byType, byId)) {
            assertThat(tasks.get(id).text("/task/claimedBy")).isEqualTo("wörker 1");
        }
    }

    /// T-064: nobody's name is kept for the next holder.
    @Test
    void claimed_by_is_null_when_no_name_was_given() {
        String id = tasks.create("unnamed");
        tasks.verb(id, "claim", "{\"workerId\":\"first\"}");
        tasks.verb(id, "fail");
        assertThat(isNull(done(tasks.claim("unnamed")), "claimedBy")).isTrue();
        assertThat(isNull(tasks.get(id), "claimedBy")).isTrue();
    }

    /// T-065.
    @Test
    void claimed_at_is_the_time_of_the_claim() {
        String id = tasks.create("timed", "\"leaseDurationSeconds\":60");
        assertThat(isNull(tasks.get(id), "claimedAt")).isTrue();
        server.clock().advance(Duration.ofSeconds(5));
        Reply claimed = tasks.claim("timed");
        assertThat(time(claimed, "claimedAt"))
                .isAfterOrEqualTo(time(claimed, "createdAt").plusSeconds(5))
                .isEqualTo(time(claimed, "leaseExpiresAt").minusSeconds(60));
        server.clock().advance(Duration.ofSeconds(5));
        Reply beaten = tasks.verb(id, "heartbeat");
        assertThat(time(beaten, "claimedAt")).isEqualTo(time(claimed, "claimedAt"));
    }

    /// T-066.
    @ParameterizedTest
    @EnumSource(TaskStatus.class)
    void a_lease_ends_some_time_exactly_while_the_task_is_claimed(TaskStatus status) {
        Reply task = tasks.get(Requests.task(tasks, status));
        assertThat(isNull(task, "leaseExpiresAt")).isEqualTo(status != TaskStatus.CLAIMED);
    }

    /// T-066: also after the ways back to pending.
    @Test
    void a_task_that_went_back_has_no_lease() {
        String id = tasks.create("back", "\"leaseDurationSeconds\":30,\"maxAttempts\":3");
        tasks.claim("back");
        assertThat(isNull(done(tasks.verb(id, "fail")), "leaseExpiresAt")).isTrue();
        tasks.claim("back");
        loseLease();
        assertThat(tasks.status(id)).isEqualTo("pending");
        assertThat(isNull(tasks.get(id), "leaseExpiresAt")).isTrue();
    }

    /// T-067.
    @Test
    void last_heartbeat_at_is_the_time_of_the_last_heartbeat() {
        String id = tasks.create("beating");
        assertThat(isNull(tasks.claim("beating"), "lastHeartbeatAt")).isTrue();
        Instant first = time(done(tasks.verb(id, "heartbeat")), "lastHeartbeatAt");
        server.clock().advance(Duration.ofSeconds(10));
        Instant second = time(done(tasks.verb(id, "heartbeat")), "lastHeartbeatAt");
        assertThat(second).isAfterOrEqualTo(first.plusSeconds(10));
        assertThat(time(tasks.get(id), "lastHeartbeatAt")).isEqualTo(second);
        assertThat(time(done(tasks.verb(id, "complete")), "lastHeartbeatAt")).isEqualTo(second);
    }

    /// T-068, T-069: through a whole life, the one stands and the other moves on every step.
    @Test
    void created_at_stands_and_updated_at_moves_on_every_change() {
        String id = tasks.create("moving", "\"leaseDurationSeconds\":30,\"maxAttempts\":3");
        Reply last = tasks.get(id);
        Instant created = time(last, "createdAt");
        assertThat(time(last, "updatedAt")).isAfterOrEqualTo(created);
        for (String step :
                List.of(
                        "claim",
                        "heartbeat",
                        "heartbeat",
                        "fail",
                        "claim",
                        "lose",
                        "claim",
                        "fail",
                        "requeue",
                        "claim",
                        "complete")) {
            if (step.equals("lose")) {
                loseLease();
            } else {
                done(tasks.verb(id, step));
            }
            Reply now = tasks.get(id);
            assertThat(time(now, "createdAt")).as(step).isEqualTo(created);
            assertThat(time(now, "updatedAt")).as(step).isAfter(time(last, "updatedAt"));
            last = now;
        }
        assertThat(tasks.get(id).at("/task"))
                .as("reading changes nothing")
                .isEqualTo(last.at("/task"));
        Reply open = tasks.get(tasks.create("moving"));
        Reply cancelled = done(tasks.verb(open.text("/task/id"), "cancel"));
        assertThat(time(cancelled, "createdAt")).isEqualTo(time(open, "createdAt"));
        assertThat(time(cancelled, "updatedAt")).isAfter(time(open, "updatedAt"));
    }

    /// T-070.
    @ParameterizedTest
    @EnumSource(TaskStatus.class)
    void completed_at_is_there_for_completed_tasks_only(TaskStatus status) {
        Reply task = tasks.get(Requests.task(tasks, status));
        assertThat(isNull(task, "completedAt")).isEqualTo(status != TaskStatus.COMPLETED);
    }

    /// T-071, T-072.
    @Test
    void a_failure_leaves_its_time_and_reason() {
        String id = tasks.create("failing", "\"maxAttempts\":2");
        assertThat(isNull(tasks.claim("failing"), "lastFailedAt")).isTrue();
        Reply failed = done(tasks.verb(id, "fail", "{\"lastFailureReason\":\"no disk: größe\"}"));
        assertThat(failed.text("/task/lastFailureReason")).isEqualTo("no disk: größe");
        Instant first = time(failed, "lastFailedAt");
        server.clock().advance(Duration.ofSeconds(3));
        Reply claimed = tasks.claim("failing");
        assertThat(time(claimed, "lastFailedAt")).isEqualTo(first);
        done(tasks.verb(id, "fail", "{\"lastFailureReason\":\"again\"}"));
        Reply dead = tasks.get(id);
        assertThat(dead.text("/task/status")).isEqualTo("dead_letter");
        assertThat(dead.text("/task/lastFailureReason")).isEqualTo("again");
        assertThat(time(dead, "lastFailedAt")).isAfterOrEqualTo(first.plusSeconds(3));
    }

    /// T-071, T-072.
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void a_lost_lease_leaves_its_time_and_a_fixed_reason(int maxAttempts) {
        String id =
                tasks.create("lost", "\"leaseDurationSeconds\":30,\"maxAttempts\":" + maxAttempts);
        Instant leaseEnd = time(tasks.claim("lost"), "leaseExpiresAt");
        loseLease();
        Reply lost = tasks.get(id);
        assertThat(lost.text("/task/status"))
                .isEqualTo(maxAttempts == 1 ? "dead_letter" : "pending");
        assertThat(time(lost, "lastFailedAt")).isAfterOrEqualTo(leaseEnd);
        assertThat(lost.text("/task/lastFailureReason"))
                .isEqualTo("lease expired: the holder sent no heartbeat in time");
    }

    /// T-078.
    @Test
    void tasks_speak_camel_case_and_guidance_snake_case() {
        String id = tasks.create("named", "\"leaseDurationSeconds\":30");
        List<Reply> replies =
                List.of(
                        tasks.claim("named"),
                        tasks.verb(id, "heartbeat"),
                        tasks.get(id),
                        tasks.claim("named"),
                        tasks.verb(id, "claim"),
                        tasks.verb("none", "claim"),
                        tasks.verb(id, "complete", "{\"outputId\":\"o\"}"));
        for (Reply reply : replies) {
            assertThat(reply.body().propertyNames())
                    .isSubsetOf(
                            "task",
                            "leaseToken",
                            "agent_contract",
                            "directives",
                            "error",
                            "message",
                            "request_id");
            for (String name : reply.at("/task").propertyNames()) {
                assertThat(name).matches("[a-z]+([A-Z][a-z]+)*");
            }
            snakeCase(reply.at("/agent_contract"));
            snakeCase(reply.at("/directives"));
        }
        assertThat(tasks.get(id).at("/task").propertyNames())
                .containsExactlyInAnyOrder(
                        "id",
                        "type",
                        "status",
                        "payload",
                        "priority",
                        "attemptCount",
                        "maxAttempts",
                        "leaseDurationSeconds",
                        "scheduledAt",
                        "claimedBy",
                        "claimedAt",
                        "leaseExpiresAt",
                        "lastHeartbeatAt",
                        "createdAt",
                        "updatedAt",
                        "completedAt",
                        "lastFailedAt",
                        "lastFailureReason",
                        "result",
                        "outputId");
    }

    private static void snakeCase(JsonNode node) {
        for (var field : node.properties()) {
            assertThat(field.getKey()).matches("[a-z]+(_[a-z]+)*");
            snakeCase(field.getValue());
        }
        if (node.isArray()) {
            node.values().forEach(TaskFieldsTest::snakeCase);
        }
    }
}
