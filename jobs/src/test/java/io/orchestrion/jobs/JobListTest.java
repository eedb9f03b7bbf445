package io.orchestrion.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.catalogue.JobType;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;

/// An account's jobs, newest first, a page at a time, in bounded time.
class JobListTest {
    private static JobsFixture fixture;

    @BeforeAll
    static void open() {
        fixture = new JobsFixture();
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    private static List<Job> all(JobQuery query) {
        var found = new ArrayList<Job>();
        JobPage page = fixture.jobs.list(query);
        found.addAll(page.jobs());
        while (page.next() != null) {
            page =
                    fixture.jobs.list(
                            new JobQuery(
                                    query.account(),
                                    query.state(),
                                    query.outcome(),
                                    query.limit(),
                                    page.next()));
            found.addAll(page.jobs());
        }
        return found;
    }

    /// J-002, L-033: pages are stable while new jobs come.
    @Test
    void pages_follow_each_other_whatever_comes_meanwhile() {
        UUID account = fixture.test.account();
        NewJob draft = NewJob.of(account, JobType.EXECUTE);
        var made = new ArrayList<UUID>();
        for (int i = 0; i < 7; i++) {
            made.addFirst(fixture.submit(draft).id());
        }
        JobPage first = fixture.jobs.list(new JobQuery(account, null, null, 3, null));
        fixture.submit(draft);
        JobPage second = fixture.jobs.list(new JobQuery(account, null, null, 3, first.next()));
        JobPage third = fixture.jobs.list(new JobQuery(account, null, null, 3, second.next()));
        var seen = new ArrayList<UUID>();
        for (JobPage page : List.of(first, second, third)) {
            page.jobs().forEach(job -> seen.add(job.id()));
        }
        assertThat(seen.subList(0, 7)).isEqualTo(made);
        assertThat(third.next()).isNull();
        fixture.jobs
                .list(JobQuery.of(account))
                .jobs()
                .forEach(job -> fixture.jobs.cancel(account, job.id()));
    }

    /// J-002, J-116: by state and by outcome.
    @Test
    void each_filter_finds_its_own() {
        UUID account = fixture.account;
        var expected = new ArrayList<Job>();
        for (JobState state : JobState.values()) {
            expected.add(fixture.in(state));
            if (!state.isFinal() && state != JobState.CREATED && state != JobState.QUEUED) {
                continue;
            }
            if (state == JobState.QUEUED) {
                // So that the next ones are not given this one.
                fixture.jobs.cancel(account, expected.getLast().id());
            }
        }
        Job failed = fixture.in(JobState.FAILED);
        fixture.jobs.retry(account, failed.id());
        for (JobState state : JobState.values()) {
            assertThat(all(new JobQuery(account, state, null, 2, null)))
                    .as(state.name())
                    .isNotEmpty()
                    .allMatch(job -> job.state() == state)
                    .isSortedAccordingTo((a, b) -> b.id().toString().compareTo(a.id().toString()));
        }
        assertThat(all(new JobQuery(account, JobState.QUEUED, null, 2, null)))
                .extracting(Job::id)
                .contains(failed.id());
        for (JobOutcome outcome : JobOutcome.values()) {
            assertThat(all(new JobQuery(account, null, outcome, 2, null)))
                    .isNotEmpty()
                    .allMatch(job -> job.outcome() == outcome);
        }
        assertThat(all(new JobQuery(account, JobState.RUNNING, JobOutcome.SUCCESS, 2, null)))
                .isEmpty();
        assertThat(new HashSet<>(all(JobQuery.of(account))))
                .hasSameSizeAs(all(JobQuery.of(account)));
    }

    private static String plan(String sql) throws Exception {
        try (Connection connection = fixture.kernel().database().connect();
                Statement statement = connection.createStatement();
                ResultSet lines = statement.executeQuery("explain " + sql)) {
            var text = new StringBuilder();
            while (lines.next()) {
                text.append(lines.getString(1)).append('\n');
            }
            return text.toString();
        }
    }

    /// L-033, J-203: what grows with the table is read along an index that holds just that.
    @Test
    void pages_and_heads_are_read_along_their_own_indexes() throws Exception {
        String state =
                JobSql.statements()
                        .source("page_in_state")
                        .replace(":account", "'" + fixture.account + "'")
                        .replace(":after::uuid", "null::uuid")
                        .replace(":state::text", "'QUEUED'")
                        .replace(":most", "51");
        assertThat(plan(state)).contains("Index Scan Backward using work_job_state");
        String page =
                JobSql.statements()
                        .source("page")
                        .replace(":account", "'" + fixture.account + "'")
                        .replace(":after::uuid", "null::uuid")
                        .replace(":most", "51");
        assertThat(plan(page)).contains("Index Scan Backward using job_pkey");
        String heads = CapacitySql.statements().source("heads").replace(":most", "10");
        assertThat(plan(heads)).contains("using work_job_open").doesNotContain("Sort");
        String waiting = CapacitySql.statements().source("count_waiting").replace(":most", "10");
        assertThat(plan(waiting)).contains("work_job_open");
        String active = CapacitySql.statements().source("count_active").replace(":most", "10");
        assertThat(plan(active)).contains("work_job_open");
    }

    /// Every statement of the engine is one that the migrated schema takes.
    @Test
    void every_statement_can_be_prepared() throws Exception {
        try (Connection connection = fixture.kernel().database().connect()) {
            for (var statements :
                    List.of(
                            JobSql.statements(),
                            ReportSql.statements(),
                            CapacitySql.statements())) {
                for (var entry : statements.texts().entrySet()) {
                    try (var prepared = connection.prepareStatement(entry.getValue())) {
                        assertThat(prepared.getParameterMetaData().getParameterCount())
                                .as(entry.getKey())
                                .isNotNegative();
                    }
                }
            }
        }
    }
}
