package io.orchestrion.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import io.orchestrion.jobs.catalogue.JobType;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// One report for each attempt, written with its end, whatever the end.
class JobReportTest {
    private static JobsFixture fixture;

    @BeforeAll
    static void open() {
        fixture = new JobsFixture();
    }

    @AfterEach
    void clear() {
        fixture.clear();
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    /// J-137, J-330, J-120..J-122, J-008, J-022.
    @Test
    void a_success_is_reported_with_its_events_its_times_and_its_output() {
        Job job = fixture.submit();
        assertThat(fixture.jobs.report(fixture.account, job.id()))
                .isInstanceOf(ReportFound.NotFinal.class);
        Assigned running = fixture.running();
        fixture.advance(Duration.ofMillis(1_500));
        fixture.jobs.complete(running, new JobOutput(4096, "ab".repeat(32), "{\"lines\": 3}"));
        JobReport report = fixture.report(job.id());
        assertThat(report.outcome()).isEqualTo(JobOutcome.SUCCESS);
        assertThat(report.attempt()).isEqualTo(1);
        assertThat(report.durationMs()).isEqualTo(report.finishedMs() - report.startedMs());
        assertThat(report.durationMs()).isBetween(1_500L, 60_000L);
        assertThat(report.outputBytes()).isEqualTo(4096);
        assertThat(report.outputSha256()).isEqualTo("ab".repeat(32));
        assertThat(report.result()).isEqualTo("{\"lines\": 3}");
        assertThat(report.failure()).isNull();
        assertThat(report.events()).isEqualTo(fixture.jobs.events(fixture.account, job.id()));
        assertThat(report.events().getLast().atMs()).isEqualTo(report.finishedMs());
        Job over = fixture.job(job.id());
        assertThat(over.outcome()).isEqualTo(JobOutcome.SUCCESS);
        assertThat(over.startedMs()).isEqualTo(report.startedMs());
        assertThat(over.finishedMs()).isEqualTo(report.finishedMs());
        assertThat(
                        fixture.database()
                                .rows(
                                        "select job_id, outcome, started_ms, finished_ms,"
                                                + " duration_ms, events from job_report"))
                .hasSize(1);
    }

    /// J-123, J-137: also jobs that never ran have a report, S-12.
    @Test
    void what_never_ran_has_a_report_that_begins_when_it_ends() {
        for (JobState open : List.of(JobState.CREATED, JobState.QUEUED, JobState.ASSIGNED)) {
            Job job = fixture.in(open);
            fixture.jobs.cancel(fixture.account, job.id());
            JobReport report = fixture.report(job.id());
            assertThat(report.outcome()).isEqualTo(JobOutcome.CANCELED);
            assertThat(report.startedMs()).isEqualTo(report.finishedMs());
            assertThat(report.durationMs()).isZero();
            assertThat(report.events().getLast().name()).isEqualTo(JobEvents.CANCELED);
        }
        assertThat(fixture.unaccounted()).isEmpty();
    }

    /// J-125, J-006, J-334: a retry has a report of its own, and the first stays as it was.
    @Test
    void every_attempt_keeps_its_report() {
        Job job = fixture.in(JobState.FAILED);
        JobReport first = fixture.report(job.id());
        assertThat(first.outcome()).isEqualTo(JobOutcome.FAILED);
        assertThat(first.failure()).isEqualTo(JobsFixture.failure());
        fixture.jobs.retry(fixture.account, job.id());
        assertThat(fixture.jobs.report(fixture.account, job.id()))
                .isInstanceOf(ReportFound.NotFinal.class);
        String kept =
                fixture.database()
                        .<String>value("select r::text from job_report r where attempt = 1");
        fixture.advance(Duration.ofMinutes(2));
        Assigned again = fixture.running();
        fixture.jobs.complete(again, JobsFixture.output(again));
        JobReport second = fixture.report(job.id());
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(second.outcome()).isEqualTo(JobOutcome.SUCCESS);
        assertThat(second.startedMs()).isGreaterThan(first.finishedMs());
        assertThat(second.events()).hasSize(9);
        assertThat(
                        fixture.database()
                                .<String>value(
                                        "select r::text from job_report r where attempt = 1"))
                .isEqualTo(kept);
    }

    /// J-251, J-252, J-253, J-249: a runner that dies while it runs.
    @Test
    void a_runner_that_is_not_heard_of_fails_its_job_with_a_report() {
        Job job = fixture.in(JobState.RUNNING);
        fixture.advance(Duration.ofSeconds(29));
        assertThat(fixture.sweep("lease-reaper")).isZero();
        fixture.advance(Duration.ofSeconds(2));
        assertThat(fixture.sweep("lease-reaper")).isEqualTo(1);
        Job failed = fixture.job(job.id());
        assertThat(failed.state()).isEqualTo(JobState.FAILED);
        assertThat(failed.failure().code()).isEqualTo(JobFailure.RUNNER_LOST);
        assertThat(fixture.report(job.id()).outcome()).isEqualTo(JobOutcome.FAILED);
        assertThat(fixture.names(job.id())).endsWith(JobEvents.FAILED);
        assertThat(fixture.jobs.retry(fixture.account, job.id())).isInstanceOf(JobAck.Done.class);
        assertThat(fixture.unaccounted()).isEmpty();
    }

    /// J-206, J-248, J-249, J-159: a runner that dies before it begins.
    @Test
    void a_lease_that_ends_before_the_start_queues_the_job_again_and_costs_no_attempt() {
        Job job = fixture.in(JobState.ASSIGNED);
        Assigned lost = fixture.last;
        fixture.advance(Duration.ofSeconds(31));
        assertThat(fixture.sweep("lease-reaper")).isEqualTo(1);
        Job back = fixture.job(job.id());
        assertThat(back.state()).isEqualTo(JobState.QUEUED);
        assertThat(back.attempt()).isEqualTo(1);
        JobEvent last = fixture.jobs.events(fixture.account, job.id()).getLast();
        assertThat(last.name()).isEqualTo(JobEvents.LEASE_EXPIRED);
        assertThat(last.prev()).isEqualTo(JobState.ASSIGNED);
        assertThat(last.next()).isEqualTo(JobState.QUEUED);
        Assigned next = fixture.running();
        assertThat(next.job().id()).isEqualTo(job.id());
        assertThat(next.job().attempt()).isEqualTo(1);
        assertThat(fixture.jobs.start(lost))
                .isEqualTo(new RunnerAck.Stop(RunnerAck.Why.LEASE_LOST, JobState.RUNNING));
        fixture.jobs.complete(next, JobsFixture.output(next));
        assertThat(fixture.impossible()).isEmpty();
        assertThat(fixture.report(job.id()).attempt()).isEqualTo(1);
    }

    /// J-254, J-255, S-11.
    @Test
    void a_job_without_a_definition_is_begun_and_failed_in_one() {
        Job job = fixture.submit();
        fixture.database().execute("delete from job_definition");
        Assigned assigned = fixture.assigned();
        assertThat(assigned.job().definition()).isNull();
        assertThat(JobsFixture.state(fixture.jobs.start(assigned))).isEqualTo(JobState.FAILED);
        assertThat(fixture.names(job.id()))
                .endsWith(JobEvents.ASSIGNED, JobEvents.RUNNING, JobEvents.FAILED);
        assertThat(fixture.job(job.id()).failure().code()).isEqualTo(JobFailure.NO_DEFINITION);
        assertThat(fixture.report(job.id()).outcome()).isEqualTo(JobOutcome.FAILED);
        assertThat(
                        fixture.database()
                                .<Long>value(
                                        "select count(distinct tx_id) from work_event where"
                                                + " event in ('start', 'fail')"))
                .isEqualTo(1);
    }

    /// J-162, J-254: what a runner fails before it began is begun first.
    @Test
    void failing_an_assigned_job_begins_it_first() {
        Job job = fixture.in(JobState.ASSIGNED);
        assertThat(JobsFixture.state(fixture.jobs.fail(fixture.last, JobsFixture.failure())))
                .isEqualTo(JobState.FAILED);
        assertThat(fixture.names(job.id()))
                .endsWith(JobEvents.ASSIGNED, JobEvents.RUNNING, JobEvents.FAILED);
        assertThat(fixture.impossible()).isEmpty();
    }

    /// J-256, J-257, J-282, J-283, J-381: by the runner's word, and by the sweeper without it.
    @Test
    void an_attempt_over_its_time_is_timed_out() {
        Job told = fixture.in(JobState.RUNNING);
        assertThat(JobsFixture.state(fixture.jobs.timeOut(fixture.last)))
                .isEqualTo(JobState.FAILED);
        Job found = fixture.in(JobState.RUNNING);
        Assigned beating = fixture.last;
        for (int i = 0; i < 23; i++) {
            fixture.advance(Duration.ofSeconds(5));
            assertThat(fixture.jobs.heartbeat(beating)).isInstanceOf(RunnerAck.Applied.class);
        }
        fixture.advance(Duration.ofSeconds(6));
        assertThat(fixture.jobs.heartbeat(beating))
                .isEqualTo(new RunnerAck.Stop(RunnerAck.Why.LEASE_EXPIRED, JobState.RUNNING));
        fixture.sweep("lease-reaper");
        for (Job job : List.of(told, found)) {
            assertThat(fixture.job(job.id()).failure().code()).isEqualTo(JobFailure.TIMED_OUT);
            assertThat(fixture.names(job.id())).endsWith(JobEvents.TIMED_OUT);
            assertThat(fixture.report(job.id()).failure().code()).isEqualTo(JobFailure.TIMED_OUT);
        }
    }

    /// J-259.
    @Test
    void output_that_is_not_what_was_asked_for_fails_the_job() {
        for (JobOutput wrong :
                List.of(
                        new JobOutput(17, "0".repeat(64), null),
                        new JobOutput(4096, "no digest", null),
                        new JobOutput(-1, "0".repeat(64), null))) {
            Job job = fixture.in(JobState.RUNNING);
            assertThat(JobsFixture.state(fixture.jobs.complete(fixture.last, wrong)))
                    .isEqualTo(JobState.FAILED);
            assertThat(fixture.job(job.id()).failure().code()).isEqualTo(JobFailure.OUTPUT_INVALID);
            assertThat(fixture.report(job.id()).failure().code())
                    .isEqualTo(JobFailure.OUTPUT_INVALID);
        }
    }

    /// J-258, J-216.
    @Test
    void a_job_whose_report_cannot_be_made_fails_with_one_that_says_so() {
        Job job = fixture.in(JobState.RUNNING);
        fixture.database()
                .execute(
                        "alter table job_report add constraint broken check (outcome <>"
                                + " 'SUCCESS')");
        assertThat(
                        JobsFixture.state(
                                fixture.jobs.complete(
                                        fixture.last, JobsFixture.output(fixture.last))))
                .isEqualTo(JobState.FAILED);
        fixture.database().execute("alter table job_report drop constraint broken");
        JobReport report = fixture.report(job.id());
        assertThat(report.outcome()).isEqualTo(JobOutcome.FAILED);
        assertThat(report.failure().code()).isEqualTo(JobFailure.REPORT_FAILED);
        assertThat(fixture.unaccounted()).isEmpty();
    }

    /// J-329, J-331: what is lost of the history or the report stops nothing.
    @Test
    void without_its_events_or_its_report_a_job_still_works() {
        Job running = fixture.in(JobState.RUNNING);
        fixture.database().execute("alter table work disable trigger work_guard_change");
        fixture.database().execute("update work set history = '' where id = ?", running.id());
        fixture.database().execute("alter table work enable trigger work_guard_change");
        fixture.jobs.complete(fixture.last, JobsFixture.output(fixture.last));
        assertThat(fixture.job(running.id()).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(fixture.report(running.id()).events()).hasSize(1);
        fixture.database().execute("delete from job_report where job_id = ?", running.id());
        assertThat(fixture.job(running.id()).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(fixture.jobs.report(fixture.account, running.id()))
                .isInstanceOf(ReportFound.Missing.class);
    }

    /// J-240: what is not whole is noted and logged once.
    @Test
    void the_check_notes_jobs_that_are_not_whole() {
        Job sound = fixture.in(JobState.SUCCEEDED);
        Job undefined = fixture.in(JobState.QUEUED);
        Job unreported = fixture.in(JobState.CANCELED);
        assertThat(fixture.sweep("job-check")).isEqualTo(3);
        assertThat(fixture.database().<Long>value("select count(*) from job_problem")).isZero();
        fixture.database().execute("delete from job_definition where job_id = ?", undefined.id());
        fixture.database().execute("delete from job_report where job_id = ?", unreported.id());
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        var logger = (Logger) LoggerFactory.getLogger(JobCheck.class);
        logger.addAppender(lines);
        try {
            fixture.sweep("job-check");
            fixture.sweep("job-check");
        } finally {
            logger.detachAppender(lines);
        }
        assertThat(lines.list)
                .extracting(line -> line.getLevel() + " " + line.getFormattedMessage())
                .hasSize(2)
                .anyMatch(line -> line.startsWith("ERROR job " + undefined.id()))
                .anyMatch(line -> line.startsWith("ERROR job " + unreported.id()));
        assertThat(fixture.database().rows("select job_id, problem from job_problem"))
                .extracting(row -> row.get("job_id") + " " + row.get("problem"))
                .containsExactlyInAnyOrder(
                        undefined.id() + " definition missing",
                        unreported.id() + " report missing");
        assertThat(fixture.job(sound.id()).state()).isEqualTo(JobState.SUCCEEDED);
    }

    /// J-240: an item that has lost its job stands in nobody's way.
    @Test
    void an_item_without_its_job_does_not_stop_the_queue() {
        Job lost = fixture.submit();
        Job next = fixture.submit();
        fixture.database().execute("delete from job where job_id = ?", lost.id());
        assertThat(fixture.assigned().job().id()).isEqualTo(next.id());
        assertThat(fixture.jobs.get(fixture.account, lost.id()))
                .isInstanceOf(JobFound.NotFound.class);
    }

    /// J-088: the success of what emits is told as that.
    @Test
    void an_emitted_event_has_a_name_of_its_own() {
        Job job = fixture.submit(NewJob.of(fixture.account, JobType.EMIT_EVENT).of("SUCCESS_FAST"));
        Assigned running = fixture.running();
        fixture.jobs.complete(running, JobsFixture.output(running));
        assertThat(fixture.names(job.id())).endsWith(JobEvents.EMITTED);
        assertThat(
                        fixture.database()
                                .<String>value(
                                        "select event_name from job_events where next_state ="
                                                + " 'SUCCEEDED'"))
                .isEqualTo(JobEvents.EMITTED);
        assertThat(JobEvents.subscribes(JobEvents.SUCCEEDED, JobEvents.EMITTED)).isTrue();
        assertThat(JobEvents.subscribes(JobEvents.EMITTED, JobEvents.SUCCEEDED)).isFalse();
    }

    /// J-396: after a restart everything is there.
    @Test
    void another_node_reads_the_same_report() {
        Job job = fixture.in(JobState.SUCCEEDED);
        JobReport report = fixture.report(job.id());
        try (var other =
                        fixture.test.anotherNode(
                                options -> options.withOwners(List.of(Jobs.owner())));
                var jobs = new Jobs(other, JobsOptions.DEFAULT, JobsFixture.DEFINITIONS)) {
            assertThat(jobs.report(fixture.account, job.id()))
                    .isEqualTo(new ReportFound.Found(job, report));
        }
    }

    /// J-104, J-267: a completion after the cancellation is refused and changes nothing.
    @Test
    void what_a_runner_says_of_a_canceled_job_counts_for_nothing() {
        Job job = fixture.in(JobState.RUNNING);
        fixture.jobs.cancel(fixture.account, job.id());
        Job canceled = fixture.job(job.id());
        var stop = new RunnerAck.Stop(RunnerAck.Why.CANCELED, JobState.CANCELED);
        assertThat(fixture.jobs.heartbeat(fixture.last)).isEqualTo(stop);
        assertThat(fixture.jobs.complete(fixture.last, JobsFixture.output(fixture.last)))
                .isEqualTo(stop);
        assertThat(fixture.jobs.fail(fixture.last, JobsFixture.failure())).isEqualTo(stop);
        assertThat(fixture.jobs.timeOut(fixture.last)).isEqualTo(stop);
        assertThat(fixture.job(job.id())).isEqualTo(canceled);
        assertThat(fixture.report(job.id()).outcome()).isEqualTo(JobOutcome.CANCELED);
    }

    /// J-103, J-108, J-260..J-263: nothing happens to what is over.
    @Test
    void a_final_job_stays_as_it_is() {
        for (JobState over : List.of(JobState.SUCCEEDED, JobState.CANCELED)) {
            Job job = fixture.in(over);
            int events = fixture.names(job.id()).size();
            assertThat(fixture.jobs.cancel(fixture.account, job.id()))
                    .isEqualTo(new JobAck.Unchanged(job));
            assertThat(fixture.jobs.retry(fixture.account, job.id()))
                    .isInstanceOf(JobAck.Unchanged.class);
            assertThat(fixture.job(job.id())).isEqualTo(job);
            assertThat(fixture.names(job.id())).hasSize(events);
        }
        Job failed = fixture.in(JobState.FAILED);
        assertThat(fixture.jobs.cancel(fixture.account, failed.id()))
                .isEqualTo(new JobAck.Unchanged(failed));
        UUID open = fixture.in(JobState.QUEUED).id();
        assertThat(fixture.jobs.retry(fixture.account, open)).isInstanceOf(JobAck.Unchanged.class);
    }
}
