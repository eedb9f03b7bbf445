package io.orchestrion.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Heartbeats, success, and being asked to stop.
class JobHolderTest extends QueueFixture {
    private final QueueApi.Worker worker = queue.worker("executor-01");

    private String running() {
        String id = queue.enqueue("t");
        assertThat(worker.claimed("\"leaseSeconds\":60")).isEqualTo(id);
        return id;
    }

    ///
    @Test
    void a_heartbeat_sets_the_lease_from_now_on() {
        String id = running();
        advance(Duration.ofSeconds(50));
        Instant before = now();
        Reply longer = worker.heartbeat(id, 600);
        assertThat(longer.status()).isEqualTo(200);
        assertThat(longer.text("/status")).isEqualTo("running");
        assertThat(Instant.parse(longer.text("/leaseExpiresAt")))
                .isBetween(before.plusSeconds(599), now().plusSeconds(601));
        Reply shorter = worker.heartbeat(id, 5);
        assertThat(Instant.parse(shorter.text("/leaseExpiresAt")))
                .isBetween(before.plusSeconds(4), now().plusSeconds(6));
        Reply asBefore = worker.verb(id, "heartbeat", "");
        assertThat(Instant.parse(asBefore.text("/leaseExpiresAt")))
                .isBetween(before.plusSeconds(4), now().plusSeconds(6));
        advance(Duration.ofSeconds(6));
        server.sweepLeases();
        assertThat(queue.status(id)).isEqualTo("queued");
    }

    /// nobody else, and nothing changes.
    @ParameterizedTest
    @CsvSource({"heartbeat", "complete"})
    void only_the_holder_may_speak_for_a_job(String verb) {
        String id = running();
        Reply before = queue.get(id);
        for (QueueApi.Worker other :
                List.of(queue.worker("executor-02"), queue.keyWorker("executor-03"))) {
            Reply refused = other.verb(id, verb, "");
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.text("/code")).isEqualTo("queue_not_the_holder");
        }
        assertThat(queue.get(id).text()).isEqualTo(before.text());
        String queued = queue.enqueue("t");
        assertThat(worker.verb(queued, verb, "").text("/code")).isEqualTo("queue_wrong_status");
        advance(Duration.ofSeconds(61));
        assertThat(worker.verb(id, verb, "").text("/code")).isEqualTo("queue_lease_expired");
        assertThat(worker.verb("01970000-0000-7000-8000-000000000000", verb, "").status())
                .isEqualTo(404);
    }

    ///
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    heartbeat | {}                                         | workerId
                    heartbeat | {"workerId":"executor-01","leaseSeconds":0}    | leaseSeconds
                    heartbeat | {"workerId":"executor-01","leaseSeconds":3601} | leaseSeconds
                    complete  | {}                                         | workerId
                    complete  | {"workerId":"executor-01","resultSummary":{}}  | resultSummary
                    complete  | {"workerId":"executor-01","result":{}}     | result
                    """)
    void a_bad_body_is_refused(String verb, String body, String field) {
        String id = running();
        Reply reply = worker.api().post(QueueApi.JOBS + "/" + id + "/" + verb, body);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text("/errors/0/field")).isEqualTo(field);
        assertThat(queue.status(id)).isEqualTo("running");
    }

    ///
    @Test
    void a_completed_job_has_succeeded_with_its_summary() {
        String id = running();
        Reply done =
                worker.verb(id, "complete", "\"resultSummary\":\"3 files \\\"changed\\\" 😀\"");
        assertThat(done.status()).isEqualTo(200);
        assertThat(done.text("/status")).isEqualTo("succeeded");
        assertThat(done.text("/resultSummary")).isEqualTo("3 files \"changed\" 😀");
        Reply shown = queue.get(id);
        assertThat(shown.text("/resultSummary")).isEqualTo("3 files \"changed\" 😀");
        assertThat(shown.text("/finishedAt")).isNotEmpty();
        assertThat(shown.at("/leaseExpiresAt").isNull()).isTrue();
        assertThat(worker.complete(id).status()).isEqualTo(409);
        String plain = running();
        assertThat(worker.complete(plain).at("/resultSummary").isNull()).isTrue();
        assertThat(queue.get(plain).at("/resultSummary").isNull()).isTrue();
    }

    /// an answer that was not heard is given again under its lease.
    @Test
    void a_completion_is_answered_again_under_its_lease() {
        queue.enqueue("t");
        Reply claim = worker.claim("");
        String id = claim.text("/job/id");
        String said =
                "\"resultSummary\":\"ok\",\"leaseToken\":\"" + claim.text("/job/leaseToken") + "\"";
        assertThat(worker.verb(id, "complete", said).header("Idempotency-Replayed")).isEmpty();
        Reply again = worker.verb(id, "complete", said);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(again.text("/resultSummary")).isEqualTo("ok");
    }

    ///
    @Test
    void a_queued_job_is_cancelled_at_once() {
        String id = queue.enqueue("t");
        Reply cancelled = queue.verb(id, "cancel");
        assertThat(cancelled.status()).isEqualTo(200);
        assertThat(cancelled.text("/status")).isEqualTo("cancelled");
        assertThat(worker.claimed()).isEmpty();
        assertThat(queue.verb(id, "cancel").text("/code")).isEqualTo("queue_wrong_status");
    }

    /// a job that waits for its next attempt is queued as well.
    @Test
    void a_job_that_waits_for_its_next_attempt_is_cancelled_at_once() {
        String id = running();
        worker.fail(id, true);
        assertThat(queue.verb(id, "cancel").text("/status")).isEqualTo("cancelled");
        advance(Duration.ofHours(1));
        assertThat(worker.claimed()).isEmpty();
    }

    ///
    @Test
    void the_worker_of_a_running_job_learns_of_a_cancel_at_its_next_heartbeat() {
        String id = running();
        assertThat(worker.heartbeat(id, 60).at("/cancelRequested").asBoolean()).isFalse();
        Reply asked = queue.verb(id, "cancel");
        assertThat(asked.status()).isEqualTo(200);
        assertThat(asked.text("/status")).isEqualTo("running");
        assertThat(asked.at("/cancelRequested").asBoolean()).isTrue();
        assertThat(queue.verb(id, "cancel").status()).isEqualTo(200);
        Reply heard = worker.heartbeat(id, 60);
        assertThat(heard.status()).isEqualTo(200);
        assertThat(heard.at("/cancelRequested").asBoolean()).isTrue();
        Reply stopped = worker.fail(id, true);
        assertThat(stopped.status()).isEqualTo(200);
        assertThat(stopped.text("/status")).isEqualTo("cancelled");
        assertThat(stopped.at("/nextAttemptAt").isNull()).isTrue();
        advance(Duration.ofHours(1));
        assertThat(worker.claimed()).isEmpty();
    }

    /// what was done already stays done.
    @Test
    void a_worker_that_was_about_to_finish_may_still_succeed() {
        String id = running();
        queue.verb(id, "cancel");
        assertThat(worker.complete(id).text("/status")).isEqualTo("succeeded");
    }

    /// a worker that is gone cannot stop, so its lease's end does.
    @Test
    void a_job_whose_worker_is_gone_is_cancelled_when_its_lease_ends() {
        String id = running();
        queue.verb(id, "cancel");
        advance(Duration.ofSeconds(61));
        server.sweepLeases();
        assertThat(queue.status(id)).isEqualTo("cancelled");
    }

    ///
    @Test
    void what_has_ended_or_is_unknown_cannot_be_cancelled() {
        String id = running();
        worker.complete(id);
        Reply reply = queue.verb(id, "cancel");
        assertThat(reply.status()).isEqualTo(409);
        assertThat(reply.text("/detail")).contains("succeeded");
        assertThat(queue.verb("01970000-0000-7000-8000-000000000000", "cancel").status())
                .isEqualTo(404);
        assertThat(queue.verb("x", "cancel").status()).isEqualTo(404);
    }
}
