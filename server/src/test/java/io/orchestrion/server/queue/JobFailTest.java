package io.orchestrion.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Failures: worth another attempt, final, or the last.
class JobFailTest extends QueueFixture {
    private final QueueApi.Worker worker = queue.worker("executor-01");

    private String running(String more) {
        String id = queue.enqueue("t", "{}", more);
        assertThat(worker.claimed()).isEqualTo(id);
        return id;
    }

    ///
    @Test
    void a_retryable_failure_queues_the_job_again_for_later() {
        String id = running("");
        Reply failed =
                worker.api()
                        .post(
                                QueueApi.JOBS + "/" + id + "/fail",
                                """
                                {
                                  "workerId": "executor-01",
                                  "errorMessage": "network timeout",
                                  "retryable": true
                                }
                                """);
        assertThat(failed.status()).isEqualTo(200);
        assertThat(failed.text("/status")).isEqualTo("queued");
        assertThat(Instant.parse(failed.text("/nextAttemptAt")))
                .isAfter(Instant.parse(failed.text("/updatedAt")));
        Reply shown = queue.get(id);
        assertThat(shown.text("/errorMessage")).isEqualTo("network timeout");
        assertThat(shown.at("/workerId").isNull()).isTrue();
        assertThat(shown.at("/leaseExpiresAt").isNull()).isTrue();
        assertThat(
                        server.database()
                                .rows(
                                        "select lease_token, lease_until_ms, holder from work where"
                                                + " id = ?::uuid",
                                        id)
                                .getFirst()
                                .values())
                .containsOnlyNulls();
    }

    ///
    @Test
    void after_the_last_attempt_the_job_is_a_dead_letter() {
        String id = queue.enqueue("t");
        for (int attempt = 1; attempt <= 3; attempt++) {
            Reply claimed = worker.claim("");
            assertThat(claimed.text("/job/id")).isEqualTo(id);
            assertThat(claimed.number("/job/attempt")).isEqualTo(attempt);
            Reply failed = worker.fail(id, true);
            assertThat(failed.text("/status")).isEqualTo(attempt == 3 ? "dead_letter" : "queued");
            if (attempt < 3) {
                Duration delay =
                        Duration.between(
                                Instant.parse(failed.text("/updatedAt")),
                                Instant.parse(failed.text("/nextAttemptAt")));
                // Full jitter over 5 s × 2^(attempt - 1), with a floor of a second.
                assertThat(delay)
                        .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(5L << (attempt - 1)));
                advance(Duration.ofSeconds(21));
            } else {
                assertThat(failed.at("/nextAttemptAt").isNull()).isTrue();
                assertThat(failed.text("/finishedAt")).isNotEmpty();
            }
        }
        advance(Duration.ofHours(1));
        assertThat(worker.claimed()).isEmpty();
        assertThat(queue.status(id)).isEqualTo("dead_letter");
    }

    ///
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"\"retryable\":false", "\"retryable\":null", "''"})
    void a_failure_that_is_not_retryable_is_final(String retryable) {
        String id = running("");
        Reply failed =
                worker.verb(
                        id,
                        "fail",
                        "\"errorMessage\":\"no such branch\""
                                + (retryable.isEmpty() ? "" : "," + retryable));
        assertThat(failed.text("/status")).isEqualTo("failed");
        assertThat(failed.at("/nextAttemptAt").isNull()).isTrue();
        advance(Duration.ofHours(1));
        assertThat(worker.claimed()).isEmpty();
        assertThat(queue.status(id)).isEqualTo("failed");
    }

    ///
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {"errorMessage":"x"}                                   | workerId     | ''
                    {"workerId":"executor-01"}                             | errorMessage | ''
                    {"workerId":"executor-01","errorMessage":""}           | errorMessage | 1..4000
                    {"workerId":"executor-01","errorMessage":7}            | errorMessage | ''
                    {"workerId":"executor-01","errorMessage":"x","retryable":"yes"} | retryable | ''
                    {"workerId":"executor-01","errorMessage":"x","leaseToken":"x"}  | leaseToken | *
                    {"workerId":"executor-01","errorMessage":"x","more":1} | more         | ''
                    """)
    void a_bad_report_changes_nothing(String body, String field, String bound) {
        String id = running("");
        Reply reply = worker.api().post(QueueApi.JOBS + "/" + id + "/fail", body);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text("/errors/0/field")).isEqualTo(field);
        if (!bound.equals("*")) {
            assertThat(reply.text("/errors/0/bound")).isEqualTo(bound);
        }
        assertThat(queue.status(id)).isEqualTo("running");
    }

    /// the bound to the character.
    @Test
    void an_error_message_has_at_most_4000_characters() {
        String id = running("");
        Reply more = worker.verb(id, "fail", "\"errorMessage\":\"" + "ä".repeat(4001) + "\"");
        assertThat(more.status()).isEqualTo(400);
        assertThat(more.text("/errors/0/bound")).isEqualTo("1..4000");
        Reply fits = worker.verb(id, "fail", "\"errorMessage\":\"" + "ä".repeat(4000) + "\"");
        assertThat(fits.status()).isEqualTo(200);
        assertThat(queue.get(id).text("/errorMessage")).isEqualTo("ä".repeat(4000));
    }

    /// nothing of the job changes.
    @Test
    void only_the_holder_may_fail_a_job() {
        String id = running("");
        Reply before = queue.get(id);
        for (QueueApi.Worker other :
                List.of(queue.worker("executor-02"), queue.keyWorker("executor-03"))) {
            Reply refused = other.fail(id, true);
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.text("/code")).isEqualTo("queue_not_the_holder");
        }
        assertThat(queue.get(id).text()).isEqualTo(before.text());
    }

    /// a token speaks under its own name only.
    @Test
    void a_token_may_not_use_another_workers_name() {
        String id = running("");
        QueueApi.Worker other = queue.worker("executor-02");
        for (String verb : List.of("fail", "complete", "heartbeat", "events")) {
            Reply refused =
                    other.api()
                            .post(
                                    QueueApi.JOBS + "/" + id + "/" + verb,
                                    switch (verb) {
                                        case "fail" ->
                                                "{\"workerId\":\"executor-01\",\"errorMessage\":\"x\"}";
                                        case "events" ->
                                                "{\"workerId\":\"executor-01\",\"level\":\"info\",\"message\":\"x\"}";
                                        default -> "{\"workerId\":\"executor-01\"}";
                                    });
            assertThat(refused.status()).as(verb).isEqualTo(403);
            assertThat(refused.text("/code")).isEqualTo("queue_wrong_worker");
        }
        assertThat(queue.status(id)).isEqualTo("running");
    }

    ///
    @Test
    void a_job_that_nobody_holds_cannot_fail() {
        String queued = queue.enqueue("t");
        assertThat(worker.fail(queued, true).text("/code")).isEqualTo("queue_wrong_status");
        String id = worker.claim("\"leaseSeconds\":5").text("/job/id");
        advance(Duration.ofSeconds(6));
        Reply late = worker.fail(id, true);
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.text("/code")).isEqualTo("queue_lease_expired");
        assertThat(queue.get(id).number("/attempt")).isEqualTo(1);
    }

    ///
    @Test
    void an_unknown_job_cannot_fail() {
        for (String id : List.of("01970000-0000-7000-8000-000000000000", "nothing")) {
            Reply reply = worker.fail(id, true);
            assertThat(reply.status()).isEqualTo(404);
            assertThat(reply.text("/code")).isEqualTo("queue_job_not_found");
        }
        String foreign = QueueApi.of(server).enqueue("t");
        assertThat(worker.fail(foreign, true).status()).isEqualTo(404);
    }

    ///
    @Test
    void a_second_failure_is_refused_and_uses_no_attempt() {
        String id = running("");
        assertThat(worker.fail(id, true).status()).isEqualTo(200);
        Reply before = queue.get(id);
        assertThat(worker.fail(id, true).status()).isEqualTo(409);
        assertThat(queue.get(id).text()).isEqualTo(before.text());
        assertThat(before.number("/attempt")).isEqualTo(1);
    }

    /// A holder that did not hear the answer asks again under its lease, as at the tasks door.
    @Test
    void the_same_said_again_under_the_same_lease_is_answered_as_before() {
        String id = queue.enqueue("t");
        String lease = worker.claim("").text("/job/leaseToken");
        String said = "\"errorMessage\":\"x\",\"retryable\":true,\"leaseToken\":\"" + lease + "\"";
        Reply first = worker.verb(id, "fail", said);
        Reply again = worker.verb(id, "fail", said);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(again.text("/nextAttemptAt")).isEqualTo(first.text("/nextAttemptAt"));
        assertThat(worker.verb(id, "fail", said.replace("\"x\"", "\"y\"")).status()).isEqualTo(409);
        assertThat(queue.get(id).number("/attempt")).isEqualTo(1);
    }

    /// A lease that was lost and given again to a worker of the same name is another lease.
    @Test
    void a_late_worker_with_an_old_lease_token_cannot_speak_for_the_new_one() {
        String id = queue.enqueue("t");
        String old = worker.claim("\"leaseSeconds\":5").text("/job/leaseToken");
        advance(Duration.ofSeconds(6));
        server.sweepLeases();
        advance(Duration.ofMinutes(16));
        String lease = worker.claim("").text("/job/leaseToken");
        Reply late = worker.verb(id, "complete", "\"leaseToken\":\"" + old + "\"");
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.text("/code")).isEqualTo("queue_not_the_holder");
        assertThat(worker.verb(id, "complete", "\"leaseToken\":\"" + lease + "\"").status())
                .isEqualTo(200);
    }
}
