package io.orchestrion.jobs.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.Job;
import io.orchestrion.jobs.JobAck;
import io.orchestrion.jobs.JobFailure;
import io.orchestrion.jobs.JobState;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.Objects;
import java.util.UUID;

/// Leases: kept while a runner lives, and lost when it is not heard of.
@Timeout(180)
class RunnerLeaseTest {
    private final RunnerFixture fixture = new RunnerFixture();

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    private long heartbeatMs(UUID id) {
        Long at =
                fixture.database()
                        .value("select heartbeat_ms from work where id = ?::uuid", id.toString());
        return at == null ? 0 : at;
    }

    /// J-025, J-207, J-208: a job outlives its lease of 30 seconds three times over.
    @Test
    void a_job_that_lasts_longer_than_its_lease_is_kept_by_heartbeats() {
        UUID id = fixture.submit("SUCCESS_SLOW").id();
        // Nine seconds for us.
        fixture.run(RunnerFixture.quick("steady", 1, 0.02));
        fixture.await(id, JobState.RUNNING);
        for (int i = 0; i < 5; i++) {
            fixture.test.clock().advance(Duration.ofSeconds(20));
            // One from before the step would let the next step go beyond the lease.
            long since = fixture.test.kernel().database().transaction(tx -> tx.nowMillis());
            Until.isTrue("a heartbeat came", RunnerFixture.SOON, () -> heartbeatMs(id) >= since);
            assertThat(fixture.test.kernel().sweepOnce("lease-reaper")).isZero();
        }
        fixture.await(id, JobState.SUCCEEDED);
        assertThat(RunnerOptions.named("r").heartbeatEvery())
                .isBetween(Duration.ofSeconds(4), Duration.ofSeconds(5));
        assertThat(RunnerOptions.named("r").concurrency()).isEqualTo(1);
    }

    /// J-206, J-248, J-249.
    @Test
    void a_runner_that_dies_before_the_start_gives_its_job_back() throws Exception {
        UUID id = fixture.submit("SUCCESS_FAST").id();
        fixture.test.failpoints().arm("runner.before-start", dying());
        RunnerPool dying = fixture.run(RunnerFixture.quick("dying", 1, 0.001));
        fixture.await(id, JobState.ASSIGNED);
        Until.isTrue("it has let go", RunnerFixture.SOON, () -> dying.busy() == 0);
        dying.close();
        assertThat(fixture.expire()).isEqualTo(1);
        Job back = fixture.job(id);
        assertThat(back.state()).isEqualTo(JobState.QUEUED);
        assertThat(back.attempt()).isEqualTo(1);
        fixture.test.failpoints().disarm("runner.before-start");
        fixture.run(RunnerFixture.quick("next", 1, 0.001));
        fixture.await(id, JobState.SUCCEEDED);
        assertThat(fixture.events(id))
                .containsExactly(
                        "job.created",
                        "job.queued",
                        "job.assigned",
                        "job.lease_expired",
                        "job.assigned",
                        "job.running",
                        "job.succeeded");
    }

    /// J-251..J-253.
    @Test
    void a_runner_that_dies_while_it_runs_fails_its_job_which_can_be_retried() throws Exception {
        UUID id = fixture.submit("SUCCESS_FAST").id();
        fixture.test.failpoints().arm("runner.after-start", dying());
        RunnerPool dying = fixture.run(RunnerFixture.quick("dying", 1, 0.001));
        fixture.await(id, JobState.RUNNING);
        Until.isTrue("it has let go", RunnerFixture.SOON, () -> dying.busy() == 0);
        dying.close();
        assertThat(fixture.expire()).isEqualTo(1);
        Job failed = fixture.job(id);
        assertThat(failed.state()).isEqualTo(JobState.FAILED);
        assertThat(Objects.requireNonNull(failed.failure()).code())
                .isEqualTo(JobFailure.RUNNER_LOST);
        assertThat(fixture.report(id).durationMs()).isPositive();
        fixture.test.failpoints().disarm("runner.after-start");
        fixture.retry(id);
        fixture.run(RunnerFixture.quick("next", 1, 0.001));
        assertThat(fixture.await(id, JobState.SUCCEEDED).attempt()).isEqualTo(2);
    }

    private static Failpoints.Action dying() {
        return () -> {
            throw new Failpoints.Injected("runner");
        };
    }

    /// J-254, J-255.
    @Test
    void a_job_without_a_definition_is_failed_and_nothing_is_run() {
        UUID id = fixture.submit("SUCCESS_FAST").id();
        fixture.database()
                .execute("delete from job_definition where job_id = ?::uuid", id.toString());
        fixture.run(RunnerFixture.quick("careful", 1, 0.001));
        Job failed = fixture.await(id, JobState.FAILED);
        assertThat(Objects.requireNonNull(failed.failure()).code())
                .isEqualTo(JobFailure.NO_DEFINITION);
        assertThat(fixture.events(id))
                .containsExactly(
                        "job.created", "job.queued", "job.assigned", "job.running", "job.failed");
        assertThat(fixture.report(id).outputBytes()).isNull();
    }

    /// J-204, J-246, J-247.
    @Test
    void without_a_runner_a_job_stays_queued_and_the_first_runner_takes_it() {
        UUID id = fixture.submit("SUCCESS_FAST").id();
        assertThat(fixture.registry.availableNow().any()).isFalse();
        fixture.test.clock().advance(Duration.ofHours(1));
        fixture.test.kernel().sweepOnce("lease-reaper");
        assertThat(fixture.job(id).state()).isEqualTo(JobState.QUEUED);
        assertThat(fixture.events(id)).containsExactly("job.created", "job.queued");
        fixture.run(RunnerFixture.quick("first", 1, 0.001));
        fixture.await(id, JobState.SUCCEEDED);
    }

    @Test
    void a_runner_that_is_stopped_lets_a_short_job_end_and_fails_a_long_one() {
        UUID brief = fixture.submit("SUCCESS_NORMAL").id();
        RunnerPool pool = fixture.run(RunnerFixture.quick("patient", 1, 0.02));
        fixture.await(brief, JobState.RUNNING);
        assertThat(pool.stop(Duration.ofSeconds(20))).isTrue();
        assertThat(fixture.job(brief).state()).isEqualTo(JobState.SUCCEEDED);

        UUID endless = fixture.submit("SUCCESS_SLOW").id();
        RunnerPool hurried = fixture.run(RunnerFixture.quick("hurried", 1, 1));
        fixture.await(endless, JobState.RUNNING);
        assertThat(hurried.stop(Duration.ofMillis(10))).isFalse();
        Job failed = fixture.job(endless);
        assertThat(failed.state()).isEqualTo(JobState.FAILED);
        assertThat(Objects.requireNonNull(failed.failure()).code())
                .isEqualTo(JobRun.RUNNER_STOPPED);
        assertThat(fixture.jobs().retry(fixture.account, endless)).isInstanceOf(JobAck.Done.class);
    }
}
