package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;

class RetryTest {
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

    private int attempts(String id) {
        return tasks.get(id).number("/task/attemptCount");
    }

    private String claimed(String fields) {
        String id = tasks.create("tried", fields);
        assertThat(tasks.verb(id, "claim").status()).isEqualTo(200);
        return id;
    }

    private static void seconds(long seconds) {
        server.clock().advance(Duration.ofSeconds(seconds));
    }

    /// T-131, T-132.
    @Test
    void only_a_claim_counts_an_attempt() {
        String id = tasks.create("tried", "\"maxAttempts\":10,\"leaseDurationSeconds\":30");
        assertThat(attempts(id)).isZero();
        assertThat(tasks.claim("tried").number("/task/attemptCount")).isEqualTo(1);
        tasks.verb(id, "heartbeat");
        assertThat(attempts(id)).isEqualTo(1);
        tasks.verb(id, "fail");
        assertThat(attempts(id)).isEqualTo(1);
        assertThat(tasks.verb(id, "claim").number("/task/attemptCount")).isEqualTo(2);
        seconds(31);
        server.sweepLeases();
        assertThat(tasks.status(id)).isEqualTo("pending");
        assertThat(attempts(id)).isEqualTo(2);
        assertThat(tasks.claim("tried").number("/task/attemptCount")).isEqualTo(3);
        tasks.verb(id, "fail");
        assertThat(tasks.verb(id, "cancel").number("/task/attemptCount")).isEqualTo(3);
        assertThat(attempts(id)).isEqualTo(3);
    }

    /// T-133.
    @Test
    void of_three_attempts_the_third_failure_is_the_last() {
        String id = tasks.create("tried", "\"maxAttempts\":3");
        for (String after : new String[] {"pending", "pending", "dead_letter"}) {
            tasks.verb(id, "claim");
            assertThat(tasks.verb(id, "fail").text("/task/status")).isEqualTo(after);
        }
    }

    /// T-134.
    @Test
    void of_one_attempt_the_first_failure_is_the_last() {
        String id = claimed("\"maxAttempts\":1");
        assertThat(tasks.verb(id, "fail").text("/task/status")).isEqualTo("dead_letter");
    }

    /// T-135: failures and lapses count alike.
    @Test
    void a_lapsed_lease_is_judged_by_the_same_count() {
        String id = tasks.create("tried", "\"maxAttempts\":3,\"leaseDurationSeconds\":30");
        tasks.verb(id, "claim");
        tasks.verb(id, "fail");
        for (String after : new String[] {"pending", "dead_letter"}) {
            tasks.verb(id, "claim");
            seconds(31);
            server.sweepLeases();
            assertThat(tasks.status(id)).isEqualTo(after);
        }
        assertThat(attempts(id)).isEqualTo(3);
        String once = claimed("\"maxAttempts\":1,\"leaseDurationSeconds\":30");
        seconds(31);
        server.sweepLeases();
        assertThat(tasks.status(once)).isEqualTo("dead_letter");
    }

    /// T-136.
    @ParameterizedTest
    @ValueSource(strings = {"0", "86401", "1.5", "\"60\"", "-1", "true", "[60]", "1e30"})
    void a_delay_out_of_bounds_is_refused_and_the_task_stays_claimed(String delay) {
        String id = claimed("\"maxAttempts\":3");
        var row = stored.row(id);
        Reply refused = tasks.verb(id, "fail", "{\"retry_after_seconds\":" + delay + "}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.error()).isEqualTo("invalid_request");
        assertThat(stored.row(id)).isEqualTo(row);
        assertThat(tasks.status(id)).isEqualTo("claimed");
    }

    /// T-136, T-137.
    @ParameterizedTest
    @ValueSource(ints = {1, 60, 86_400})
    void a_failure_with_a_delay_schedules_the_next_attempt(int delay) {
        String id = claimed("\"maxAttempts\":3");
        Reply failed = tasks.verb(id, "fail", "{\"retry_after_seconds\":" + delay + "}");
        assertThat(failed.status()).isEqualTo(200);
        assertThat(failed.text("/task/status")).isEqualTo("pending");
        assertThat(Instant.parse(tasks.get(id).text("/task/scheduledAt")).toEpochMilli())
                .isCloseTo(stored.nowMs() + delay * 1000L, within(1000L));
    }

    /// T-138, T-139: no sweeper runs in this test.
    @Test
    void a_delayed_task_is_skipped_until_its_time_and_claimable_at_once_then() {
        String first = claimed("\"maxAttempts\":3");
        tasks.verb(first, "fail", "{\"retry_after_seconds\":60}");
        assertThat(tasks.claim("tried").at("/task").isNull()).isTrue();
        Reply early = tasks.verb(first, "claim");
        assertThat(early.status()).isEqualTo(409);
        assertThat(early.error()).isEqualTo("not_yet_claimable");
        seconds(58);
        assertThat(tasks.claim("tried").at("/task").isNull()).isTrue();
        assertThat(tasks.verb(first, "claim").error()).isEqualTo("not_yet_claimable");
        seconds(3);
        assertThat(tasks.claim("tried").text("/task/id")).isEqualTo(first);

        tasks.verb(first, "fail", "{\"retry_after_seconds\":60}");
        seconds(61);
        assertThat(tasks.verb(first, "claim").status()).isEqualTo(200);
    }

    /// T-140.
    @Test
    void a_failure_without_a_delay_leaves_the_task_claimable_at_once() {
        String id = claimed("\"maxAttempts\":3");
        tasks.verb(id, "fail");
        assertThat(tasks.claim("tried").text("/task/id")).isEqualTo(id);
        tasks.verb(id, "fail");
        assertThat(tasks.verb(id, "claim").status()).isEqualTo(200);
    }

    /// T-140: also after an attempt that was delayed.
    @Test
    void a_failure_without_a_delay_forgets_the_delay_before_it() {
        String id = claimed("\"maxAttempts\":3");
        tasks.verb(id, "fail", "{\"retry_after_seconds\":60}");
        seconds(61);
        tasks.verb(id, "claim");
        tasks.verb(id, "fail");
        assertThat(tasks.claim("tried").text("/task/id")).isEqualTo(id);
    }

    /// T-141.
    @Test
    void a_delay_of_the_last_failure_is_ignored() {
        String id = claimed("\"maxAttempts\":1");
        Reply failed = tasks.verb(id, "fail", "{\"retry_after_seconds\":60}");
        assertThat(failed.text("/task/status")).isEqualTo("dead_letter");
        assertThat(tasks.get(id).at("/task/scheduledAt").isNull()).isTrue();
        tasks.verb(id, "requeue");
        assertThat(tasks.verb(id, "claim").status()).isEqualTo(200);
    }

    /// T-142, T-143.
    @Test
    void a_requeued_task_starts_anew_as_it_was() {
        String at = Instant.ofEpochMilli(stored.nowMs() + 5_000).toString();
        Reply created =
                tasks.api()
                        .post(
                                "/v1/tasks",
                                """
                                {"type": "kept", "priority": 7, "payload": {"n": [1, {"m": "ü"}]},
                                 "maxAttempts": 1, "leaseDurationSeconds": 77, "scheduledAt": "%s"}
                                """
                                        .formatted(at));
        String id = created.text("/task/id");
        seconds(6);
        tasks.verb(id, "claim");
        tasks.verb(id, "fail");
        Reply requeued = tasks.verb(id, "requeue");
        assertThat(requeued.status()).isEqualTo(200);
        assertThat(requeued.number("/task/attemptCount")).isZero();
        Reply now = tasks.get(id);
        for (String field :
                new String[] {
                    "type", "payload", "priority", "maxAttempts", "leaseDurationSeconds"
                }) {
            assertThat(now.at("/task/" + field)).isEqualTo(created.at("/task/" + field));
        }
        Reply claimed = tasks.claim("kept");
        assertThat(claimed.text("/task/id")).isEqualTo(id);
        assertThat(claimed.number("/task/attemptCount")).isEqualTo(1);
    }

    /// T-144.
    @Test
    void a_requeued_task_has_all_its_attempts_again() {
        String id = tasks.create("tried", "\"maxAttempts\":2");
        for (int life = 0; life < 3; life++) {
            for (String after : new String[] {"pending", "dead_letter"}) {
                assertThat(tasks.verb(id, "claim").status()).isEqualTo(200);
                assertThat(tasks.verb(id, "fail").text("/task/status")).isEqualTo(after);
            }
            assertThat(tasks.verb(id, "requeue").status()).isEqualTo(200);
        }
    }
}
