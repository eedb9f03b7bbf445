package io.orchestrion.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What is asked of many jobs costs as much as the answer is long, and not as many as there are.
class JobListCostTest {
    private static final int MANY = 60_000;

    /// Pages of the database's files: a page of a hundred jobs is some rows of each of four tables.
    private static final int FEW_PAGES = 1_200;

    private static final Pattern TOUCHED =
            Pattern.compile("Buffers: shared hit=(\\d+)(?: read=(\\d+))?");

    private static JobsFixture fixture;

    @BeforeAll
    static void makeMany() throws SQLException {
        fixture = new JobsFixture();
        fixture.in(JobState.SUCCEEDED);
        try (Connection connection = fixture.database().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("alter table work disable trigger user");
            // Most are over, many wait for their time, a few wait for their retry, all at random
            // places.
            statement.execute(
                    """
                    insert into work
                    select (c.row).*
                      from (select jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid(),
                              'owner_id', gen_random_uuid())
                              || case when n %% 600 = 0 then '{"state": "waiting", "wait_reason": "backoff",
                                        "run_at_ms": 9000000000000, "finished_ms": null, "purge_after_ms": null}'
                                      when n %% 3 = 0 then '{"state": "waiting", "wait_reason": "schedule",
                                        "run_at_ms": 9000000000000, "finished_ms": null, "purge_after_ms": null}'
                                      when n %% 500 = 1 then '{"state": "cancelled"}'
                                      else '{}' end::jsonb) as row
                              from work w, generate_series(1, %d) as n) as c
                    """
                            .formatted(MANY));
            statement.execute("alter table work enable trigger user");
            statement.execute(
                    "insert into job select account_id, id, 'EXECUTE', null, null, null, false from"
                            + " work on conflict do nothing");
            statement.execute(
                    "insert into job_definition select account_id, job_id, 'SUCCESS_FAST', 1000,"
                            + " false, 4096, 1 from job on conflict do nothing");
            statement.execute("analyze work, job, job_definition, job_report");
        }
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    private static int pagesTouched(String sql) throws SQLException {
        try (Connection connection = fixture.kernel().database().connect();
                Statement statement = connection.createStatement();
                ResultSet lines = statement.executeQuery("explain (analyze, buffers) " + sql)) {
            var text = new StringBuilder();
            while (lines.next()) {
                text.append(lines.getString(1)).append('\n');
            }
            Matcher matcher = TOUCHED.matcher(text);
            assertThat(matcher.find()).as(text.toString()).isTrue();
            String read = matcher.group(2);
            return Integer.parseInt(matcher.group(1)) + (read == null ? 0 : Integer.parseInt(read));
        }
    }

    private static String bound(String sql) {
        return sql.replace(":account", "'" + fixture.account + "'")
                .replace(":after::uuid", "'80000000-0000-4000-8000-000000000000'::uuid")
                .replace(":most", "101");
    }

    /// L-033.
    @Test
    void a_page_reads_a_page_whatever_the_filter() throws SQLException {
        assertThat(pagesTouched(bound(JobSql.statements().source("page")))).isLessThan(FEW_PAGES);
        for (JobState state : JobState.values()) {
            String sql =
                    bound(JobSql.statements().source("page_in_state"))
                            .replace(":state::text", "'" + state + "'");
            assertThat(pagesTouched(sql)).as(state.name()).isLessThan(FEW_PAGES);
        }
    }

    /// J-203, J-280: what is over costs a claim nothing.
    @Test
    void the_head_of_the_queue_is_found_at_once() throws SQLException {
        String heads = CapacitySql.statements().source("heads").replace(":most", "10");
        assertThat(pagesTouched(heads)).isLessThan(20);
        String active = CapacitySql.statements().source("count_active").replace(":most", "10");
        assertThat(pagesTouched(active)).isLessThan(20);
    }
}
