package io.orchestrion.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// A job with a time runs then: never before, at once after, and once.
@Timeout(180)
class JobScheduleTest {
    /// J-188, J-189, J-193.
    @Test
    void a_scheduled_job_is_created_until_its_time_and_then_queued() {
        try (var fixture = new JobsFixture()) {
            long at = fixture.now() + 60_000;
            UUID id = fixture.submit(fixture.draft().at(at)).id();
            fixture.advance(Duration.ofMillis(at - fixture.now() - 500));
            assertThat(fixture.sweep("due-promoter")).isZero();
            assertThat(fixture.jobs.claim("runner", 1)).isEmpty();
            assertThat(fixture.job(id).state()).isEqualTo(JobState.CREATED);
            fixture.advance(Duration.ofMillis(500));
            assertThat(fixture.sweep("due-promoter")).isEqualTo(1);
            assertThat(fixture.job(id).state()).isEqualTo(JobState.QUEUED);
            assertThat(fixture.job(id).executionMs()).isEqualTo(at);
            JobEvent queued = fixture.jobs.events(fixture.account, id).getLast();
            assertThat(queued.name()).isEqualTo(JobEvents.QUEUED);
            assertThat(queued.atMs()).isGreaterThanOrEqualTo(at);
            fixture.running();
            assertThat(early(fixture)).isZero();
        }
    }

    private static long early(JobsFixture fixture) {
        return fixture.database()
                .<Long>value(
                        "select count(*) from work_event e join job j on j.job_id = e.work_id where"
                                + " e.event in ('promote', 'lease', 'start') and e.at_ms <"
                                + " j.execution_ms");
    }

    /// J-193, J-189: by a kernel that runs by itself, in real time.
    @Test
    void the_running_promoter_queues_within_a_second_and_never_early() {
        try (var fixture = new JobsFixture()) {
            fixture.kernel().start();
            var ids = new ArrayList<UUID>();
            for (int i = 0; i < 5; i++) {
                ids.add(fixture.submit(fixture.draft().at(fixture.now() + 300 + i * 100)).id());
            }
            Until.isTrue(
                    "all are queued",
                    Duration.ofSeconds(20),
                    () -> ids.stream().allMatch(id -> fixture.names(id).size() == 2));
            assertThat(early(fixture)).isZero();
            // The best of five: a busy machine may delay any of them, a slow pace delays all.
            assertThat(
                            fixture.database()
                                    .<Long>value(
                                            "select min(e.at_ms - j.execution_ms) from work_event e"
                                                    + " join job j on j.job_id = e.work_id where"
                                                    + " e.event = 'promote'"))
                    .isLessThan(1_000);
        }
    }

    /// J-191, J-192, J-194: missed while nobody was there; then found by two nodes at once.
    @Test
    void a_missed_time_is_made_good_once_on_recovery() {
        try (var fixture = new JobsFixture()) {
            var ids = new ArrayList<UUID>();
            for (int i = 0; i < 30; i++) {
                ids.add(fixture.submit(fixture.draft().at(fixture.now() + 1_000 + i)).id());
            }
            fixture.advance(Duration.ofHours(3));
            try (var one =
                            fixture.test.anotherNode(
                                    options -> options.withOwners(List.of(Jobs.owner())));
                    var two =
                            fixture.test.anotherNode(
                                    options -> options.withOwners(List.of(Jobs.owner())))) {
                List<Integer> promoted =
                        Parallel.run(
                                6, i -> () -> (i % 2 == 0 ? one : two).sweepOnce("due-promoter"));
                assertThat(promoted.stream().mapToInt(Integer::intValue).sum())
                        .isLessThanOrEqualTo(30);
                one.sweepOnce("due-promoter");
            }
            for (UUID id : ids) {
                assertThat(fixture.names(id)).containsExactly(JobEvents.CREATED, JobEvents.QUEUED);
            }
            assertThat(fixture.impossible()).isEmpty();
        }
    }

    /// J-192, S-10: a claim that meets a due job queues it first, in its own transaction.
    @Test
    void a_claim_queues_what_is_due_and_nobody_has_promoted() {
        try (var fixture = new JobsFixture()) {
            UUID id = fixture.submit(fixture.draft().at(fixture.now() + 1_000)).id();
            fixture.advance(Duration.ofSeconds(2));
            assertThat(fixture.assigned().job().id()).isEqualTo(id);
            assertThat(fixture.names(id))
                    .containsExactly(JobEvents.CREATED, JobEvents.QUEUED, JobEvents.ASSIGNED);
            assertThat(fixture.sweep("due-promoter")).isZero();
            assertThat(fixture.impossible()).isEmpty();
        }
    }

    /// K-03: the end of a backoff is no event.
    @Test
    void the_end_of_a_backoff_is_silent() {
        try (var fixture = new JobsFixture()) {
            Job job = fixture.in(JobState.FAILED);
            fixture.jobs.retry(fixture.account, job.id());
            int events = fixture.names(job.id()).size();
            fixture.advance(Duration.ofMinutes(2));
            assertThat(fixture.sweep("due-promoter")).isEqualTo(1);
            assertThat(fixture.names(job.id())).hasSize(events);
            assertThat(fixture.job(job.id()).state()).isEqualTo(JobState.QUEUED);
        }
    }
}
