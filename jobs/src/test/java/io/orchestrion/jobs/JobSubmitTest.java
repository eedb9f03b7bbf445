package io.orchestrion.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.jobs.catalogue.JobDefinition;
import io.orchestrion.jobs.catalogue.JobType;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// A job is accepted whole or not at all, and once for its key.
class JobSubmitTest {
    private static final List<String> TABLES =
            List.of("work", "work_event", "job", "job_definition", "job_report", "idempotency");

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

    private static NewJob keyed(UUID account, String key, String request) {
        return NewJob.of(account, JobType.EXECUTE)
                .of("SUCCESS_FAST")
                .once(NewJob.keyOf(account, key, request.getBytes(StandardCharsets.UTF_8)));
    }

    private static long rows(String table) {
        return fixture.database().<Long>value("select count(*) from " + table);
    }

    /// J-098, J-136, J-326, J-328: CREATED comes before QUEUED, both in the submit.
    @Test
    void a_due_job_is_created_and_then_queued() {
        Job job = fixture.submit();
        assertThat(job.state()).isEqualTo(JobState.QUEUED);
        assertThat(job.attempt()).isEqualTo(1);
        assertThat(fixture.job(job.id())).isEqualTo(job);
        List<JobEvent> events = fixture.jobs.events(fixture.account, job.id());
        assertThat(events)
                .extracting(JobEvent::next)
                .containsExactly(JobState.CREATED, JobState.QUEUED);
        assertThat(events).extracting(JobEvent::prev).containsExactly(null, JobState.CREATED);
        assertThat(events.get(1).atMs()).isGreaterThan(events.get(0).atMs());
        assertThat(events).allMatch(event -> event.scenario().equals("SUCCESS_FAST"));
        Map<String, Object> row = fixture.database().rows("select * from job_readable").getFirst();
        assertThat(row)
                .containsEntry("job_id", job.id())
                .containsEntry("type", "EXECUTE")
                .containsEntry("state", "QUEUED")
                .containsEntry("attempt", 1)
                .containsKeys("outcome", "created_at", "updated_at", "execution_at", "callback");
        List<Map<String, Object>> told =
                fixture.database().rows("select * from job_events order by seq");
        for (int i = 0; i < told.size(); i++) {
            assertThat(told.get(i))
                    .containsEntry("event_id", events.get(i).eventId())
                    .containsEntry("job_id", job.id())
                    .containsEntry("event_name", events.get(i).name())
                    .containsEntry("next_state", events.get(i).next().name())
                    .containsKeys("prev_state", "timestamp");
        }
        Job later = fixture.submit(fixture.draft().at(fixture.now() + 60_000));
        assertThat(later.state()).isEqualTo(JobState.CREATED);
        assertThat(fixture.names(later.id())).containsExactly(JobEvents.CREATED);
    }

    /// J-009, J-010, J-013, J-014.
    @Test
    void every_job_has_a_definition_that_its_seed_gives_again() {
        Set<String> kinds = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            Job job = fixture.submit(NewJob.of(fixture.account, JobType.EXECUTE));
            fixture.advance(java.time.Duration.ofMillis(7));
            JobDefinition stored = fixture.job(job.id()).definition();
            assertThat(stored).isEqualTo(job.definition());
            assertThat(JobsFixture.DEFINITIONS.define(null, stored.seedMs(), JobType.EXECUTE))
                    .isEqualTo(stored);
            assertThat(stored.seedMs()).isEqualTo(job.createdMs());
            kinds.add(stored.workKind());
        }
        assertThat(kinds).hasSizeGreaterThan(3);
        assertThat(rows("job_definition")).isEqualTo(40);
        assertThatThrownBy(
                        () ->
                                fixture.database()
                                        .tryExecute(
                                                "insert into job_definition select account_id,"
                                                        + " gen_random_uuid(), null, 1, false, 1, 1"
                                                        + " from job_definition limit 1"))
                .hasMessageContaining("work_kind");
        Job named = fixture.submit();
        assertThat(named.definition())
                .isEqualTo(
                        JobsFixture.DEFINITIONS.define(
                                "SUCCESS_FAST", named.createdMs(), JobType.EXECUTE));
    }

    /// J-093, J-094, J-095, J-096, J-264, J-265: by the engine, whatever the door.
    @Test
    void a_key_is_one_job_of_one_account() {
        Job first = fixture.submit(keyed(fixture.account, "k", "a"));
        JobSubmitted again = fixture.jobs.submit(keyed(fixture.account, "k", "a"));
        assertThat(again).isInstanceOf(JobSubmitted.Accepted.class);
        assertThat(((JobSubmitted.Accepted) again).replayed()).isTrue();
        assertThat(((JobSubmitted.Accepted) again).job()).isEqualTo(first);
        assertThat(fixture.jobs.submit(keyed(fixture.account, "k", "b")))
                .isInstanceOf(JobSubmitted.KeyConflict.class);
        UUID other = fixture.test.account();
        JobSubmitted theirs = fixture.jobs.submit(keyed(other, "k", "a"));
        assertThat(((JobSubmitted.Accepted) theirs).replayed()).isFalse();
        assertThat(fixture.submit().id()).isNotEqualTo(fixture.submit().id());
        assertThat(rows("job")).isEqualTo(4);
    }

    /// J-097.
    @Test
    void twenty_parallel_submits_with_one_key_are_one_job() {
        List<JobSubmitted> answers =
                Parallel.run(20, _ -> () -> fixture.jobs.submit(keyed(fixture.account, "k", "a")));
        assertThat(rows("job")).isEqualTo(1);
        assertThat(rows("work")).isEqualTo(1);
        assertThat(rows("work_event")).isEqualTo(2);
        Set<UUID> ids = new HashSet<>();
        int fresh = 0;
        for (JobSubmitted answer : answers) {
            assertThat(answer).isInstanceOf(JobSubmitted.Accepted.class);
            ids.add(((JobSubmitted.Accepted) answer).job().id());
            fresh += ((JobSubmitted.Accepted) answer).replayed() ? 0 : 1;
        }
        assertThat(ids).hasSize(1);
        assertThat(fresh).isEqualTo(1);
    }

    /// J-190, J-231, J-232, J-100: no row is left of a refused submit.
    @Test
    void a_time_in_the_past_is_refused_and_leaves_nothing() {
        JobSubmitted refused =
                fixture.jobs.submit(keyed(fixture.account, "k", "a").at(fixture.now() - 2_000));
        assertThat(refused).isInstanceOf(JobSubmitted.ScheduleRefused.class);
        for (String table : TABLES) {
            assertThat(rows(table)).as(table).isZero();
        }
        Job justNow = fixture.submit(fixture.draft().at(fixture.now() - 500));
        assertThat(justNow.state()).isEqualTo(JobState.QUEUED);
    }

    /// J-228, J-230: the database takes no half a job, and no unknown type.
    @Test
    void the_database_takes_no_unknown_type_and_no_deferred_job_without_a_time() {
        fixture.submit();
        for (String change : List.of("type = 'SLEEP'", "type = 'DEFERRED'", "type = null")) {
            assertThatThrownBy(() -> fixture.database().tryExecute("update job set " + change))
                    .as(change)
                    .hasMessageContaining("violates");
        }
        assertThatThrownBy(
                        () ->
                                new NewJob(
                                        fixture.account,
                                        JobType.DEFERRED,
                                        null,
                                        null,
                                        null,
                                        null,
                                        null,
                                        false,
                                        null,
                                        null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// J-237, J-241, J-100, C-48: a fault at any statement of the submit leaves nothing, and
    /// afterwards the same passes.
    @Test
    void a_fault_at_any_statement_leaves_nothing() {
        fixture.database()
                .execute(
                        "create function breaks() returns trigger language plpgsql as $$ begin"
                                + " raise exception 'injected' using errcode = 'XX001'; end $$");
        for (String table :
                List.of(
                        "work",
                        "event_chunk",
                        "job",
                        "job_definition",
                        "idempotency",
                        "job_capacity")) {
            String when = table.equals("job_capacity") ? "update" : "insert";
            fixture.database()
                    .execute(
                            "create trigger aa_breaks before "
                                    + when
                                    + " on "
                                    + table
                                    + " for each row execute function breaks()");
            assertThatThrownBy(() -> fixture.jobs.submit(keyed(fixture.account, table, "a")))
                    .as(table)
                    .hasMessageContaining("injected");
            for (String each : TABLES) {
                assertThat(rows(each)).as(each + " with a fault at " + table).isZero();
            }
            fixture.database().execute("drop trigger aa_breaks on " + table);
        }
        for (String lane : List.of("job-submit-keyed.before-commit")) {
            fixture.test
                    .failpoints()
                    .arm(
                            lane,
                            () -> {
                                throw new Failpoints.Injected(lane);
                            });
            assertThatThrownBy(() -> fixture.jobs.submit(keyed(fixture.account, "x", "a")))
                    .isInstanceOf(Failpoints.Injected.class);
            fixture.test.failpoints().disarm(lane);
        }
        for (String each : TABLES) {
            assertThat(rows(each)).as(each).isZero();
        }
        fixture.submit(keyed(fixture.account, "x", "a"));
        assertThat(rows("job")).isEqualTo(1);
    }

    /// J-242: a forced duplicate of an id is answered with another id, never with half a job.
    @Test
    void a_job_id_that_is_taken_is_made_anew() {
        // The first id is put in the way by hand: a sequence survives the rollback that it causes.
        fixture.database().execute("create sequence tries");
        fixture.database()
                .execute(
                        "create function clashes_once() returns trigger language plpgsql as $$"
                            + " begin if nextval('tries') = 1 then raise exception 'duplicate key'"
                            + " using errcode = '23505'; end if; return new; end $$");
        fixture.database()
                .execute(
                        "create trigger aa_clash before insert on job for each row execute function"
                                + " clashes_once()");
        Job job = fixture.submit();
        fixture.database().execute("drop trigger aa_clash on job");
        assertThat(rows("job")).isEqualTo(1);
        assertThat(rows("work")).isEqualTo(1);
        assertThat(fixture.job(job.id()).state()).isEqualTo(JobState.QUEUED);
    }

    /// J-215, J-226: another account's job is told apart from one that there is not, and is not
    /// touched.
    @Test
    void another_accounts_job_is_foreign_to_every_verb() {
        Job mine = fixture.in(JobState.FAILED);
        UUID other = fixture.test.account();
        assertThat(fixture.jobs.get(other, mine.id())).isInstanceOf(JobFound.Foreign.class);
        assertThat(fixture.jobs.report(other, mine.id())).isInstanceOf(ReportFound.Foreign.class);
        assertThat(fixture.jobs.cancel(other, mine.id())).isInstanceOf(JobAck.Foreign.class);
        assertThat(fixture.jobs.retry(other, mine.id())).isInstanceOf(JobAck.Foreign.class);
        assertThat(fixture.jobs.delete(other, mine.id())).isInstanceOf(JobAck.Foreign.class);
        assertThat(fixture.jobs.events(other, mine.id())).isEmpty();
        assertThat(fixture.jobs.list(JobQuery.of(other)).jobs()).isEmpty();
        assertThat(fixture.job(mine.id())).isEqualTo(mine);
        UUID nobodys = UUID.randomUUID();
        assertThat(fixture.jobs.get(other, nobodys)).isInstanceOf(JobFound.NotFound.class);
        assertThat(fixture.jobs.report(other, nobodys)).isInstanceOf(ReportFound.NotFound.class);
        assertThat(fixture.jobs.cancel(other, nobodys)).isInstanceOf(JobAck.NotFound.class);
        assertThat(fixture.jobs.retry(other, nobodys)).isInstanceOf(JobAck.NotFound.class);
        assertThat(fixture.jobs.delete(other, nobodys)).isInstanceOf(JobAck.NotFound.class);
    }
}
