package io.orchestrion.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.catalogue.JobType;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/// Seven states, ten edges, and the one that only the sweeper may take: by the verbs, and by the
/// database whoever sends the statement.
class JobTransitionsTest {
    private static JobsFixture fixture;

    @BeforeAll
    static void open() {
        fixture = new JobsFixture();
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    private static final Map<JobState, Set<JobState>> ALLOWED =
            Map.of(
                    JobState.CREATED, EnumSet.of(JobState.QUEUED, JobState.CANCELED),
                    JobState.QUEUED, EnumSet.of(JobState.ASSIGNED, JobState.CANCELED),
                    JobState.ASSIGNED, EnumSet.of(JobState.RUNNING, JobState.CANCELED),
                    JobState.RUNNING,
                            EnumSet.of(JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELED),
                    JobState.FAILED, EnumSet.of(JobState.QUEUED),
                    JobState.SUCCEEDED, EnumSet.noneOf(JobState.class),
                    JobState.CANCELED, EnumSet.noneOf(JobState.class));

    /// What a row in that state is; an end of the lease long past is one that the sweeper met.
    private static String in(JobState state, boolean lapsed) {
        String free =
                "lease_token = null, lease_until_ms = null, lease_check_ms = null, finished_ms ="
                        + " null, wait_reason = null";
        String held =
                "lease_token = '6f0f2c35-1c1f-4b6e-9a53-0d8d2e0f9a11', lease_until_ms = %s,"
                                .formatted(lapsed ? "9" : "updated_ms + 30000")
                        + " lease_check_ms = 9, finished_ms = null, wait_reason = null";
        String over =
                "lease_token = null, lease_until_ms = null, lease_check_ms = null, finished_ms ="
                        + " 9, wait_reason = null";
        return switch (state) {
            case CREATED ->
                    free.replace("wait_reason = null", "wait_reason = 'schedule', run_at_ms = 1")
                            + ", state = 'waiting'";
            case QUEUED -> free + ", state = 'ready'";
            case ASSIGNED -> held + ", state = 'leased'";
            case RUNNING -> held + ", state = 'running'";
            case SUCCEEDED -> over + ", state = 'succeeded'";
            case FAILED -> over + ", state = 'failed'";
            case CANCELED -> over + ", state = 'cancelled'";
        };
    }

    private static final String RETRIED =
            "lease_token = null, lease_until_ms = null, lease_check_ms = null, finished_ms = null,"
                    + " wait_reason = 'backoff', run_at_ms = 1, state = 'waiting'";

    private static void put(Statement statement, UUID id, String row) throws SQLException {
        statement.execute("alter table work disable trigger user");
        statement.execute("update work set " + row + " where id = '" + id + "'");
        statement.execute("alter table work enable trigger user");
    }

    /// Every change tells of itself, as all that the kernel writes does.
    private static boolean accepts(Connection connection, UUID id, String row) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(
                            "update work set event_seq = event_seq + 1, event_ms = event_ms + 1, "
                                    + row
                                    + " where id = '"
                                    + id
                                    + "'")
                    == 1;
        } catch (PSQLException e) {
            assertThat(e.getSQLState()).isEqualTo("23514");
            assertThat(e.getMessage()).contains("cannot go from");
            return false;
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /// J-138..J-186, J-213, S-09: the database's own guard on the one column that the state is in.
    @Test
    void the_database_refuses_every_change_that_is_not_an_edge() throws Exception {
        UUID id = fixture.submit().id();
        try (Connection connection = fixture.database().connect();
                Statement statement = connection.createStatement()) {
            for (JobState from : JobState.values()) {
                for (JobState to : JobState.values()) {
                    put(statement, id, in(from, false));
                    boolean direct = accepts(connection, id, in(to, false));
                    // A retry is queued and waits for its time.
                    boolean byWaiting = to == JobState.QUEUED && accepts(connection, id, RETRIED);
                    assertThat(direct || byWaiting)
                            .as(from + " to " + to)
                            .isEqualTo(ALLOWED.get(from).contains(to));
                }
            }
            // A retry that waits is QUEUED, too.
            for (JobState to : JobState.values()) {
                put(statement, id, RETRIED);
                boolean promoted = to == JobState.QUEUED;
                boolean accepted = accepts(connection, id, in(to, false));
                assertThat(accepted)
                        .as("waiting retry to " + to)
                        .isEqualTo(promoted || to == JobState.CANCELED);
            }
            statement.execute("delete from work where id = '" + id + "'");
        }
    }

    /// J-159, J-206: only when the lease is over may an assigned job be queued again.
    @Test
    void the_database_lets_an_assigned_job_back_when_its_lease_is_over_and_not_before()
            throws Exception {
        UUID id = fixture.submit().id();
        try (Connection connection = fixture.database().connect();
                Statement statement = connection.createStatement()) {
            put(statement, id, in(JobState.ASSIGNED, false));
            assertThat(accepts(connection, id, in(JobState.QUEUED, false))).isFalse();
            put(statement, id, in(JobState.ASSIGNED, true));
            assertThat(accepts(connection, id, in(JobState.QUEUED, true))).isTrue();
            statement.execute("delete from work where id = '" + id + "'");
        }
    }

    /// J-135.
    @Test
    void a_state_is_one_of_seven() {
        Set<Object> shown =
                fixture
                        .database()
                        .rows(
                                "select distinct job_state(s, r) as state from"
                                    + " unnest(array['waiting', 'ready', 'leased', 'running',"
                                    + " 'succeeded', 'failed', 'dead', 'cancelled']) s,"
                                    + " unnest(array['schedule', 'backoff', 'dependency', 'hold',"
                                    + " null]) r")
                        .stream()
                        .map(row -> row.get("state"))
                        .collect(Collectors.toSet());
        assertThat(shown)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(JobState.values()).map(JobState::name).toList())
                .hasSize(7);
        Job job = fixture.submit();
        for (String unknown : List.of("asleep", "QUEUED", "")) {
            assertThat(refusal("update work set state = '" + unknown + "' where id = ?", job.id()))
                    .as(unknown)
                    .isEqualTo("23514 work_state_check");
        }
        fixture.jobs.cancel(fixture.account, job.id());
    }

    /// J-003, J-212: by the primary key of both tables that a job is in. It begins with the
    /// account, as every key does; that no id is given to two accounts rests on how ids are made,
    /// so many are made here at once by two nodes.
    @Test
    void an_id_is_one_job() {
        Job job = fixture.submit();
        for (String table : List.of("work", "job")) {
            String key = table.equals("work") ? "id" : "job_id";
            assertThat(
                            refusal(
                                    "insert into %1$s select * from %1$s where %2$s = ?"
                                            .formatted(table, key),
                                    job.id()))
                    .isEqualTo("23505 " + table + "_pkey");
        }
        assertThat(fixture.job(job.id())).isEqualTo(job);
        List<UUID> accounts = List.of(fixture.account, fixture.test.account());
        try (var other =
                        fixture.test.anotherNode(
                                options -> options.withOwners(List.of(Jobs.owner())));
                var there = new Jobs(other, JobsOptions.DEFAULT, JobsFixture.DEFINITIONS)) {
            List<UUID> ids =
                    Parallel.run(
                            60,
                            i -> {
                                NewJob mine = NewJob.of(accounts.get(i / 2 % 2), JobType.EXECUTE);
                                Jobs node = i % 2 == 0 ? fixture.jobs : there;
                                return () -> ((JobSubmitted.Accepted) node.submit(mine)).job().id();
                            });
            assertThat(ids).doesNotHaveDuplicates().doesNotContain(job.id());
            assertThat(
                            fixture.database()
                                    .<Long>value(
                                            "select count(*) from (select job_id from job group by"
                                                    + " job_id having count(*) > 1) as shared"))
                    .isZero();
        }
        // What waits would be given to the other tests of this class.
        fixture.clear();
    }

    private static String refusal(String sql, Object... parameters) {
        try {
            fixture.database().tryExecute(sql, parameters);
            return "";
        } catch (PSQLException e) {
            ServerErrorMessage said = Objects.requireNonNull(e.getServerErrorMessage());
            return (e.getSQLState() + " " + Objects.requireNonNullElse(said.getConstraint(), ""))
                    .strip();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /// Whoever was given it, or else somebody who was not.
    private static Assigned holderOf(Job job) {
        Assigned last = fixture.last;
        return last != null && last.job().id().equals(job.id())
                ? last
                : new Assigned(job, Fence.of(UUID.randomUUID()), 30_000, 120_000, null);
    }

    private static final int VERBS = 8;

    /// What anybody could ask for, whatever the job's state.
    private static List<Runnable> everyVerb(Assigned assigned) {
        UUID id = assigned.job().id();
        var verbs = new ArrayList<Runnable>();
        verbs.add(() -> fixture.jobs.start(assigned));
        verbs.add(() -> fixture.jobs.heartbeat(assigned));
        verbs.add(() -> fixture.jobs.complete(assigned, JobsFixture.output(assigned)));
        verbs.add(() -> fixture.jobs.timeOut(assigned));
        verbs.add(() -> fixture.jobs.cancel(fixture.account, id));
        verbs.add(() -> fixture.jobs.retry(fixture.account, id));
        verbs.add(() -> fixture.sweep("lease-reaper"));
        verbs.add(() -> fixture.sweep("due-promoter"));
        return verbs;
    }

    /// J-138..J-147, J-148..J-186, J-214, J-266: every verb in every state makes an edge or
    /// nothing. J-021: whatever is told of a job tells its scenario.
    @Test
    void no_verb_takes_a_job_where_it_may_not_go() {
        for (JobState from : JobState.values()) {
            for (int i = 0; i < VERBS; i++) {
                Job job = fixture.in(from);
                int events = fixture.jobs.events(fixture.account, job.id()).size();
                everyVerb(holderOf(job)).get(i).run();
                Job after = fixture.job(job.id());
                assertThat(after.state() == from || ALLOWED.get(from).contains(after.state()))
                        .as(from + " by verb " + i + " is " + after.state())
                        .isTrue();
                List<JobEvent> told = fixture.jobs.events(fixture.account, job.id());
                assertThat(told).allMatch(event -> event.scenario().equals("SUCCESS_FAST"));
                int more = told.size() - events;
                assertThat(more)
                        .as(from + " by verb " + i)
                        .isEqualTo(after.state() == from ? 0 : 1);
                fixture.jobs.cancel(fixture.account, job.id());
            }
        }
        assertThat(fixture.impossible()).isEmpty();
        assertThat(fixture.unaccounted()).isEmpty();
    }

    /// J-138..J-147, J-136, J-142, J-144: each allowed edge, walked.
    @Test
    void every_edge_is_walked_and_told() {
        Job failed = fixture.in(JobState.FAILED);
        assertThat(fixture.jobs.retry(fixture.account, failed.id()))
                .isInstanceOf(JobAck.Done.class);
        assertThat(fixture.job(failed.id()).state()).isEqualTo(JobState.QUEUED);
        fixture.advance(Duration.ofMinutes(2));
        Assigned again = fixture.running();
        assertThat(again.job().id()).isEqualTo(failed.id());
        fixture.jobs.complete(again, JobsFixture.output(again));
        assertThat(fixture.names(failed.id()))
                .containsExactly(
                        JobEvents.CREATED,
                        JobEvents.QUEUED,
                        JobEvents.ASSIGNED,
                        JobEvents.RUNNING,
                        JobEvents.FAILED,
                        JobEvents.RETRIED,
                        JobEvents.ASSIGNED,
                        JobEvents.RUNNING,
                        JobEvents.SUCCEEDED);
        for (JobState open :
                List.of(JobState.CREATED, JobState.QUEUED, JobState.ASSIGNED, JobState.RUNNING)) {
            Job job = fixture.in(open);
            assertThat(fixture.jobs.cancel(fixture.account, job.id()))
                    .isInstanceOf(JobAck.Done.class);
            JobEvent last = fixture.jobs.events(fixture.account, job.id()).getLast();
            assertThat(last.prev()).isEqualTo(open);
            assertThat(last.next()).isEqualTo(JobState.CANCELED);
        }
        assertThat(
                        fixture.database()
                                .<Long>value(
                                        "select count(*) from job_events where seq = 1 and"
                                                + " (prev_state is not null or next_state <>"
                                                + " 'CREATED')"))
                .isZero();
        assertThat(fixture.impossible()).isEmpty();
    }

    /// J-004: whatever the clock does meanwhile. The database's clock stands still within one
    /// millisecond, and somebody may set it back.
    @Test
    void an_event_is_known_by_its_job_its_time_and_its_name() {
        Job job = fixture.submit();
        for (int attempt = 1; attempt <= 3; attempt++) {
            Assigned running = fixture.running();
            assertThat(running.job().id()).isEqualTo(job.id());
            fixture.advance(Duration.ofMinutes(-1));
            fixture.jobs.fail(running, JobsFixture.failure());
            fixture.jobs.retry(fixture.account, job.id());
            fixture.advance(Duration.ofMinutes(3));
        }
        fixture.jobs.cancel(fixture.account, job.id());
        List<Map<String, Object>> events =
                fixture.database()
                        .rows(
                                "select job_id, timestamp, event_name, event_id from job_events"
                                        + " where job_id = ? order by seq",
                                job.id());
        assertThat(events).hasSize(2 + 3 * 4 + 1);
        assertThat(events).extracting(row -> row.get("timestamp")).doesNotHaveDuplicates();
        assertThat(events).extracting(row -> row.get("event_id")).doesNotHaveDuplicates();
        assertThat(fixture.impossible()).isEmpty();
        assertThat(
                        fixture.database()
                                .<Long>value(
                                        "select count(*) - count(distinct (job_id, timestamp,"
                                                + " event_name)) from job_events"))
                .isZero();
    }

    /// J-004: the database refuses a second event with the time, or the number, of the newest.
    @Test
    void an_event_with_the_time_of_the_one_before_it_is_refused() {
        Job job = fixture.in(JobState.SUCCEEDED);
        String line = "history = history || split_part(history, E'\\n', 1) || E'\\n'";
        for (String with :
                List.of("", ", event_seq = event_seq + 1", ", event_ms = event_ms + 1")) {
            assertThat(refusal("update work set " + line + with + " where id = ?", job.id()))
                    .as(with)
                    .isEqualTo("23514");
        }
    }

    /// J-005, J-006: what was told is never told otherwise.
    @Test
    void events_reports_and_definitions_never_change() {
        Job job = fixture.in(JobState.SUCCEEDED);
        List<Map<String, Object>> told = told(job);
        for (String changed :
                List.of("''", "replace(history, 'lease', 'start')", "left(history, -1)")) {
            assertThat(refusal("update work set history = " + changed + " where id = ?", job.id()))
                    .as(changed)
                    .isEqualTo("23514");
        }
        assertThat(refusal("update job_report set outcome = 'FAILED' where job_id = ?", job.id()))
                .isEqualTo("23514");
        assertThat(refusal("update job_definition set seed_ms = 1 where job_id = ?", job.id()))
                .isEqualTo("23514");
        assertThat(
                        refusal(
                                "insert into job_report select * from job_report where job_id = ?",
                                job.id()))
                .isEqualTo("23505 job_report_pkey");
        assertThat(told(job)).isEqualTo(told).isNotEmpty();
    }

    private static List<Map<String, Object>> told(Job job) {
        return fixture.database()
                .rows(
                        "select w.history, r::text as report, d::text as definition from work w"
                                + " join job_report r on r.job_id = w.id join job_definition d on"
                                + " d.job_id = w.id where w.id = ?",
                        job.id());
    }
}
