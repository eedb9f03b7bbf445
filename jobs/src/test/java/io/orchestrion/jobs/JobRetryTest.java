package io.orchestrion.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.catalogue.JobType;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// A failed job is tried again when somebody asks for it, so often and after so long.
class JobRetryTest {
    /// J-195, J-196, J-198, J-199, J-201, J-203, J-107, J-109, C-36, C-37.
    @Test
    void three_retries_after_growing_delays_and_then_no_more() {
        try (var fixture =
                new JobsFixture(
                        JobsFixture.retries(3, Duration.ofSeconds(10), Duration.ofSeconds(30)))) {
            UUID id = fixture.submit().id();
            long[] least = {8_000, 16_000, 24_000};
            long[] most = {12_000, 24_000, 30_000};
            for (int attempt = 1; attempt <= 4; attempt++) {
                Assigned running = fixture.running();
                assertThat(running.job().attempt()).isEqualTo(attempt);
                fixture.jobs.fail(running, JobsFixture.failure());
                JobEvent failed = fixture.jobs.events(fixture.account, id).getLast();
                assertThat(failed.isFinal()).isEqualTo(attempt == 4);
                assertThat(failed.attempt()).isEqualTo(attempt);
                JobAck ack = fixture.jobs.retry(fixture.account, id);
                if (attempt == 4) {
                    assertThat(ack).isInstanceOf(JobAck.RetriesUsedUp.class);
                    break;
                }
                assertThat(ack).isInstanceOf(JobAck.Done.class);
                Job queued = ((JobAck.Done) ack).job();
                assertThat(queued.state()).isEqualTo(JobState.QUEUED);
                assertThat(queued.attempt()).isEqualTo(attempt + 1);
                long delay = queued.notBeforeMs() - queued.updatedMs();
                assertThat(delay).isBetween(least[attempt - 1] - 5, most[attempt - 1]);
                assertThat(fixture.jobs.claim("runner", 1)).isEmpty();
                fixture.sweep("due-promoter");
                fixture.advance(Duration.ofMillis(least[attempt - 1] - 1_000));
                assertThat(fixture.jobs.claim("runner", 1)).isEmpty();
                fixture.advance(Duration.ofMillis(most[attempt - 1]));
            }
            assertThat(fixture.job(id).state()).isEqualTo(JobState.FAILED);
            int events = fixture.names(id).size();
            assertThat(fixture.jobs.retry(fixture.account, id))
                    .isInstanceOf(JobAck.RetriesUsedUp.class);
            assertThat(fixture.names(id)).hasSize(events);
            assertThat(fixture.impossible()).isEmpty();
            assertThat(fixture.database().<Long>value("select count(*) from job_report"))
                    .isEqualTo(4);
        }
    }

    /// J-197, J-200, J-390: number and times are settings.
    @Test
    void with_one_retry_the_second_is_refused_and_the_delay_is_the_one_that_was_set() {
        try (var fixture =
                new JobsFixture(
                        JobsFixture.retries(1, Duration.ofMillis(40), Duration.ofMillis(50)))) {
            Job job = fixture.in(JobState.FAILED);
            JobAck.Done done = (JobAck.Done) fixture.jobs.retry(fixture.account, job.id());
            assertThat(done.job().notBeforeMs() - done.job().updatedMs()).isBetween(20L, 50L);
            fixture.advance(Duration.ofMillis(60));
            fixture.jobs.fail(fixture.running(), JobsFixture.failure());
            assertThat(fixture.jobs.retry(fixture.account, job.id()))
                    .isInstanceOf(JobAck.RetriesUsedUp.class);
        }
    }

    /// J-386, J-390, J-384: what holds where nothing is set.
    @Test
    void the_defaults_are_those_of_the_contract() {
        JobsOptions usual = JobsOptions.DEFAULT;
        assertThat(usual.maxRetries()).isEqualTo(3);
        assertThat(usual.maxRuntime()).isEqualTo(Duration.ofSeconds(120));
        assertThat(usual.fairShare()).isZero();
        assertThat(usual.rejectWithoutRunners()).isFalse();
        assertThat(usual.timeScale()).isEqualTo(1.0);
        assertThat(usual.types()).containsExactlyInAnyOrder(JobType.values());
    }

    /// J-110, J-198.
    @Test
    void parallel_retries_are_one() {
        try (var fixture = new JobsFixture()) {
            Job job = fixture.in(JobState.FAILED);
            List<JobAck> acks =
                    Parallel.run(8, _ -> () -> fixture.jobs.retry(fixture.account, job.id()));
            assertThat(acks).filteredOn(ack -> ack instanceof JobAck.Done).hasSize(1);
            assertThat(acks).filteredOn(ack -> ack instanceof JobAck.Unchanged).hasSize(7);
            assertThat(fixture.job(job.id()).attempt()).isEqualTo(2);
            assertThat(fixture.names(job.id())).filteredOn(JobEvents.RETRIED::equals).hasSize(1);
        }
    }

    /// J-202: nothing leaves FAILED by itself.
    @Test
    void a_failed_job_is_left_alone() {
        try (var fixture = new JobsFixture()) {
            Job job = fixture.in(JobState.FAILED);
            fixture.advance(Duration.ofDays(2));
            for (String duty : List.of("job-retrier", "due-promoter", "lease-reaper")) {
                assertThat(fixture.sweep(duty)).as(duty).isZero();
            }
            assertThat(fixture.job(job.id())).isEqualTo(job);
        }
    }

    /// L-029.
    @Test
    void a_job_that_asks_for_it_is_tried_again_by_itself_until_no_retry_is_left() {
        try (var fixture = new JobsFixture()) {
            UUID id =
                    fixture.submit(
                                    NewJob.of(fixture.account, JobType.EXECUTE)
                                            .of("RETRY_LIMIT_REACHED")
                                            .retriedByItself())
                            .id();
            for (int attempt = 1; attempt <= 4; attempt++) {
                fixture.jobs.fail(fixture.running(), JobsFixture.failure());
                assertThat(fixture.job(id).state()).isEqualTo(JobState.FAILED);
                assertThat(fixture.report(id).attempt()).isEqualTo(attempt);
                assertThat(fixture.sweep("job-retrier")).isEqualTo(attempt < 4 ? 1 : 0);
                assertThat(fixture.sweep("job-retrier")).isZero();
                assertThat(fixture.jobs.claim("runner", 1)).isEmpty();
                fixture.advance(Duration.ofMinutes(2));
            }
            assertThat(fixture.job(id).state()).isEqualTo(JobState.FAILED);
            assertThat(fixture.names(id))
                    .filteredOn(name -> name.equals(JobEvents.RETRIED))
                    .hasSize(3);
            assertThat(fixture.jobs.events(fixture.account, id))
                    .filteredOn(event -> event.name().equals(JobEvents.RETRIED))
                    .allMatch(
                            event ->
                                    event.prev() == JobState.FAILED
                                            && event.next() == JobState.QUEUED);
            assertThat(fixture.impossible()).isEmpty();
            assertThat(fixture.unaccounted()).isEmpty();
        }
    }

    /// L-029, J-379: by itself, but not beyond what may wait.
    @Test
    void a_retry_by_itself_waits_for_room() {
        try (var fixture = new JobsFixture(JobsFixture.bounds(10, 1, 0))) {
            fixture.submit(fixture.draft().retriedByItself());
            Assigned running = fixture.running();
            Job other = fixture.submit();
            fixture.jobs.fail(running, JobsFixture.failure());
            assertThat(fixture.sweep("job-retrier")).isZero();
            assertThat(fixture.job(running.job().id()).state()).isEqualTo(JobState.FAILED);
            assertThat(fixture.jobs.retry(fixture.account, running.job().id()))
                    .isInstanceOf(JobAck.QueueFull.class);
            fixture.jobs.cancel(fixture.account, other.id());
            fixture.advance(Duration.ofSeconds(2));
            assertThat(fixture.sweep("job-retrier")).isEqualTo(1);
            assertThat(fixture.job(running.job().id()).state()).isEqualTo(JobState.QUEUED);
        }
    }
}
