package io.orchestrion.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.RetentionRule;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// What is over goes with all that hangs on it, when its time is over or when its owner says so.
class JobRetentionTest {
    private static final List<String> TABLES =
            List.of("work", "work_event", "job", "job_definition", "job_report", "idempotency");

    private static long rows(JobsFixture fixture, String table, UUID id) {
        String column =
                switch (table) {
                    case "work" -> "id";
                    case "work_event", "idempotency" -> "work_id";
                    default -> "job_id";
                };
        return fixture.database()
                .<Long>value("select count(*) from " + table + " where " + column + " = ?", id);
    }

    private static UUID keyed(JobsFixture fixture, String key) {
        UUID id =
                fixture.submit(
                                fixture.draft()
                                        .once(NewJob.keyOf(fixture.account, key, new byte[] {1})))
                        .id();
        Assigned running = fixture.running();
        fixture.jobs.complete(running, JobsFixture.output(running));
        return id;
    }

    /// J-332, J-333, J-335, J-336, J-327, C-49.
    @Test
    void a_job_is_kept_thirty_days_after_its_end_and_an_open_one_for_ever() {
        try (var fixture = new JobsFixture()) {
            UUID over = keyed(fixture, "k");
            UUID open = fixture.submit().id();
            UUID later = fixture.submit(fixture.draft().at(fixture.now() + 1_000)).id();
            fixture.advance(Duration.ofDays(29));
            fixture.sweep("purger");
            for (String table : TABLES) {
                assertThat(rows(fixture, table, over)).as(table).isPositive();
            }
            fixture.advance(Duration.ofDays(1).plusMinutes(1));
            assertThat(fixture.sweep("purger")).isEqualTo(1);
            for (String table : TABLES) {
                assertThat(rows(fixture, table, over)).as(table).isZero();
            }
            assertThat(fixture.jobs.get(fixture.account, over))
                    .isInstanceOf(JobFound.NotFound.class);
            fixture.advance(Duration.ofDays(3_000));
            fixture.sweep("purger");
            assertThat(fixture.job(open).state()).isEqualTo(JobState.QUEUED);
            assertThat(fixture.job(later).state()).isEqualTo(JobState.CREATED);
        }
    }

    /// J-334.
    @Test
    void the_days_count_from_the_newest_end() {
        try (var fixture = new JobsFixture()) {
            Job job = fixture.in(JobState.FAILED);
            fixture.advance(Duration.ofDays(20));
            fixture.jobs.retry(fixture.account, job.id());
            fixture.advance(Duration.ofDays(20));
            fixture.sweep("purger");
            Assigned running = fixture.running();
            fixture.jobs.complete(running, JobsFixture.output(running));
            fixture.advance(Duration.ofDays(29));
            fixture.sweep("purger");
            assertThat(fixture.job(job.id()).state()).isEqualTo(JobState.SUCCEEDED);
            assertThat(rows(fixture, "job_report", job.id())).isEqualTo(2);
            fixture.advance(Duration.ofDays(2));
            fixture.sweep("purger");
            assertThat(fixture.jobs.get(fixture.account, job.id()))
                    .isInstanceOf(JobFound.NotFound.class);
        }
    }

    /// J-388.
    @Test
    void how_long_is_a_setting() {
        try (var fixture =
                new JobsFixture(
                        JobsOptions.DEFAULT,
                        options ->
                                options.withRetention(
                                        RetentionRule.BY_PLAN.keeping(
                                                Profiles.JOBS, Duration.ofDays(2))))) {
            Job job = fixture.in(JobState.CANCELED);
            fixture.advance(Duration.ofDays(1));
            fixture.sweep("purger");
            assertThat(fixture.job(job.id()).state()).isEqualTo(JobState.CANCELED);
            fixture.advance(Duration.ofDays(1).plusMinutes(1));
            fixture.sweep("purger");
            assertThat(fixture.jobs.get(fixture.account, job.id()))
                    .isInstanceOf(JobFound.NotFound.class);
        }
    }

    /// L-030, J-327: by its owner's word, and only what is over.
    @Test
    void a_final_job_is_deleted_with_everything_and_an_open_one_is_not() {
        try (var fixture = new JobsFixture()) {
            for (JobState open :
                    List.of(
                            JobState.CREATED,
                            JobState.QUEUED,
                            JobState.ASSIGNED,
                            JobState.RUNNING)) {
                Job job = fixture.in(open);
                assertThat(fixture.jobs.delete(fixture.account, job.id()))
                        .isInstanceOf(JobAck.NotFinal.class);
                assertThat(fixture.job(job.id())).isEqualTo(job);
                fixture.jobs.cancel(fixture.account, job.id());
            }
            UUID over = keyed(fixture, "k");
            assertThat(fixture.jobs.delete(fixture.account, over)).isInstanceOf(JobAck.Done.class);
            for (String table : TABLES) {
                assertThat(rows(fixture, table, over)).as(table).isZero();
            }
            assertThat(fixture.jobs.delete(fixture.account, over))
                    .isInstanceOf(JobAck.NotFound.class);
            assertThat(fixture.jobs.cancel(fixture.account, over))
                    .isInstanceOf(JobAck.NotFound.class);
            assertThat(fixture.jobs.report(fixture.account, over))
                    .isInstanceOf(ReportFound.NotFound.class);
            // The key is free again.
            assertThat(keyed(fixture, "k")).isNotEqualTo(over);
        }
    }
}
