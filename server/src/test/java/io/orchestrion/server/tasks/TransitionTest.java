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

import java.time.Duration;
import java.time.Instant;

class TransitionTest {
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

    /// A task brought to the status by the verbs of the contract.
    private String taskThatIs(String status) {
        String id = tasks.create("work", "\"maxAttempts\":1");
        switch (status) {
            case "pending" -> {}
            case "claimed" -> claimed(id);
            case "completed" -> {
                claimed(id);
                done(id, "complete");
            }
            case "dead_letter" -> {
                claimed(id);
                done(id, "fail");
            }
            case "cancelled" -> done(id, "cancel");
            default -> throw new IllegalArgumentException(status);
        }
        assertThat(tasks.status(id)).isEqualTo(status);
        return id;
    }

    private void claimed(String id) {
        done(id, "claim");
    }

    private void done(String id, String verb) {
        Reply reply = tasks.verb(id, verb);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    }

    private void lapse() {
        server.clock().advance(Duration.ofSeconds(301));
    }

    /// T-081.
    @Test
    void a_new_task_is_pending() {
        Reply created = tasks.api().post("/v1/tasks", "{\"type\":\"work\",\"payload\":{}}");
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.text("/task/status")).isEqualTo("pending");
        assertThat(stored.story(created.text("/task/id"))).containsExactly("submit null ready");
    }

    /// T-082.
    @Test
    void claiming_the_next_task_makes_it_claimed() {
        String id = tasks.create("work");
        Reply reply = tasks.claim("work");
        assertThat(reply.text("/task/id")).isEqualTo(id);
        assertThat(reply.text("/task/status")).isEqualTo("claimed");
        assertThat(tasks.status(id)).isEqualTo("claimed");
    }

    /// T-083.
    @Test
    void claiming_a_task_by_its_id_makes_it_claimed() {
        String id = tasks.create("work");
        Reply reply = tasks.verb(id, "claim");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.text("/task/status")).isEqualTo("claimed");
        assertThat(tasks.status(id)).isEqualTo("claimed");
    }

    /// T-084.
    @Test
    void completing_a_claimed_task_makes_it_completed() {
        String id = taskThatIs("claimed");
        assertThat(tasks.verb(id, "complete").text("/task/status")).isEqualTo("completed");
        assertThat(tasks.status(id)).isEqualTo("completed");
    }

    /// T-085, T-086.
    @Test
    void failing_makes_it_pending_until_the_attempts_are_used_up() {
        String id = tasks.create("work", "\"maxAttempts\":2");
        claimed(id);
        assertThat(tasks.verb(id, "fail").text("/task/status")).isEqualTo("pending");
        assertThat(tasks.status(id)).isEqualTo("pending");
        claimed(id);
        assertThat(tasks.verb(id, "fail").text("/task/status")).isEqualTo("dead_letter");
        assertThat(tasks.status(id)).isEqualTo("dead_letter");
    }

    /// T-087, T-088.
    @Test
    void a_lapsed_lease_makes_it_pending_until_the_attempts_are_used_up() {
        String id = tasks.create("work", "\"maxAttempts\":2");
        claimed(id);
        lapse();
        server.sweepLeases();
        assertThat(tasks.status(id)).isEqualTo("pending");
        claimed(id);
        lapse();
        server.sweepLeases();
        assertThat(tasks.status(id)).isEqualTo("dead_letter");
    }

    /// T-089.
    @Test
    void cancelling_a_pending_task_makes_it_cancelled() {
        String id = taskThatIs("pending");
        assertThat(tasks.verb(id, "cancel").text("/task/status")).isEqualTo("cancelled");
        assertThat(tasks.status(id)).isEqualTo("cancelled");
    }

    /// T-090.
    @Test
    void requeueing_a_dead_task_makes_it_pending() {
        String id = taskThatIs("dead_letter");
        assertThat(tasks.verb(id, "requeue").text("/task/status")).isEqualTo("pending");
        assertThat(tasks.status(id)).isEqualTo("pending");
    }

    @ParameterizedTest(name = "{0} {1} + {2} is {3}")
    @CsvSource({
        "T-091, pending,     complete,  invalid_transition",
        "T-092, pending,     fail,      invalid_transition",
        "T-093, pending,     heartbeat, invalid_transition",
        "T-094, pending,     requeue,   invalid_transition",
        "T-095, claimed,     claim,     task_currently_claimed",
        "T-096, claimed,     cancel,    task_currently_claimed",
        "T-097, claimed,     requeue,   invalid_transition",
        "T-098, completed,   claim,     invalid_transition",
        "T-099, completed,   complete,  invalid_transition",
        "T-100, completed,   fail,      invalid_transition",
        "T-101, completed,   heartbeat, invalid_transition",
        "T-102, completed,   cancel,    invalid_transition",
        "T-103, completed,   requeue,   invalid_transition",
        "T-104, dead_letter, claim,     invalid_transition",
        "T-105, dead_letter, complete,  invalid_transition",
        "T-106, dead_letter, fail,      invalid_transition",
        "T-107, dead_letter, heartbeat, invalid_transition",
        "T-108, dead_letter, cancel,    invalid_transition",
        "T-109, cancelled,   claim,     invalid_transition",
        "T-110, cancelled,   complete,  invalid_transition",
        "T-111, cancelled,   fail,      invalid_transition",
        "T-112, cancelled,   heartbeat, invalid_transition",
        "T-113, cancelled,   cancel,    invalid_transition",
        "T-114, cancelled,   requeue,   invalid_transition",
    })
    void a_verb_that_the_status_forbids_is_refused_and_changes_nothing(
            String id, String status, String verb, String code) {
        String task = taskThatIs(status);
        var row = stored.row(task);
        var history = stored.history(task);
        Reply refused = tasks.verb(task, verb);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).isEqualTo(code);
        assertThat(stored.row(task)).isEqualTo(row);
        assertThat(stored.history(task)).isEqualTo(history);
    }

    @ParameterizedTest(name = "{0} + {1} is {2}")
    @CsvSource({
        "claim, not_yet_claimable",
        "complete, invalid_transition",
        "fail, invalid_transition"
    })
    void a_task_whose_time_has_not_come_is_refused_and_unchanged(String verb, String code) {
        String at = Instant.ofEpochMilli(stored.nowMs() + 60_000).toString();
        String id = tasks.create("work", "\"scheduledAt\":\"" + at + "\"");
        var row = stored.row(id);
        Reply refused = tasks.verb(id, verb);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).isEqualTo(code);
        assertThat(stored.row(id)).isEqualTo(row);
        assertThat(stored.story(id)).containsExactly("submit null waiting");
    }

    /// T-115.
    @ParameterizedTest
    @CsvSource({"complete", "fail", "heartbeat"})
    void a_holder_whose_lease_lapsed_unseen_is_refused_and_changes_nothing(String verb) {
        String id = taskThatIs("claimed");
        lapse();
        var row = stored.row(id);
        var history = stored.history(id);
        Reply refused = tasks.verb(id, verb);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).isEqualTo("lease_expired");
        assertThat(stored.row(id)).isEqualTo(row);
        assertThat(stored.history(id)).isEqualTo(history);
    }

    /// T-116: with attempts left.
    @Test
    void claiming_over_an_unseen_lapse_expires_it_first_and_then_claims() {
        String id = tasks.create("work");
        claimed(id);
        lapse();
        Reply again = tasks.verb(id, "claim");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.number("/task/attemptCount")).isEqualTo(2);
        assertThat(stored.story(id))
                .containsExactly(
                        "submit null ready",
                        "lease ready running",
                        "expire running ready",
                        "lease ready running");
    }

    /// T-116: with no attempt left, the claim meets a dead task, and the expiry stays.
    @Test
    void claiming_over_the_last_unseen_lapse_leaves_a_dead_task() {
        String id = taskThatIs("claimed");
        lapse();
        Reply refused = tasks.verb(id, "claim");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).isEqualTo("invalid_transition");
        assertThat(tasks.status(id)).isEqualTo("dead_letter");
        assertThat(stored.story(id)).endsWith("expire running dead");
    }

    /// T-116: with attempts left.
    @Test
    void cancelling_over_an_unseen_lapse_expires_it_first_and_then_cancels() {
        String id = tasks.create("work");
        claimed(id);
        lapse();
        Reply cancelled = tasks.verb(id, "cancel");
        assertThat(cancelled.status()).isEqualTo(200);
        assertThat(cancelled.text("/task/status")).isEqualTo("cancelled");
        assertThat(stored.story(id)).endsWith("expire running ready", "cancel ready cancelled");
    }

    /// T-116: with no attempt left.
    @Test
    void cancelling_over_the_last_unseen_lapse_leaves_a_dead_task() {
        String id = taskThatIs("claimed");
        lapse();
        Reply refused = tasks.verb(id, "cancel");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).isEqualTo("invalid_transition");
        assertThat(tasks.status(id)).isEqualTo("dead_letter");
        assertThat(stored.story(id)).endsWith("expire running dead");
    }

    /// T-117.
    @ParameterizedTest
    @CsvSource({"completed", "dead_letter", "cancelled"})
    void an_ended_task_is_never_the_next(String status) {
        taskThatIs(status);
        assertThat(tasks.claim("work").at("/task").isNull()).isTrue();
    }
}
