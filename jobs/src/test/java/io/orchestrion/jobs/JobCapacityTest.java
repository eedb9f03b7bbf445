package io.orchestrion.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.catalogue.JobType;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// Bounds that hold over all accounts and nodes, and the order in which jobs are given out.
@Timeout(180)
class JobCapacityTest {
    private static UUID idOf(JobSubmitted submitted) {
        return ((JobSubmitted.Accepted) submitted).job().id();
    }

    /// J-244, J-245, J-281, J-385, J-391, J-379, S-03: two nodes and many callers at once.
    @Test
    void the_queue_takes_as_many_as_it_may_and_not_one_more() {
        JobsOptions options = JobsFixture.bounds(100, 25, 0);
        try (var fixture = new JobsFixture(options);
                var other =
                        fixture.test.anotherNode(
                                kernel -> kernel.withOwners(List.of(Jobs.owner())));
                var there = new Jobs(other, options, JobsFixture.DEFINITIONS)) {
            List<UUID> accounts = List.of(fixture.account, fixture.test.account());
            List<JobSubmitted> answers =
                    Parallel.run(
                            60,
                            i ->
                                    () -> {
                                        NewJob job =
                                                NewJob.of(accounts.get(i % 2), JobType.EXECUTE);
                                        return i % 3 == 0
                                                ? there.submit(job)
                                                : fixture.jobs.submit(
                                                        i % 3 == 1
                                                                ? job
                                                                : job.at(fixture.now() + 90_000));
                                    });
            assertThat(answers)
                    .filteredOn(each -> each instanceof JobSubmitted.Accepted)
                    .hasSize(25);
            assertThat(answers)
                    .filteredOn(each -> each instanceof JobSubmitted.QueueFull)
                    .hasSize(35)
                    .allMatch(each -> ((JobSubmitted.QueueFull) each).max() == 25);
            assertThat(fixture.database().<Long>value("select count(*) from job")).isEqualTo(25);
            assertThat(fixture.database().<Long>value("select count(*) from work")).isEqualTo(25);
            assertThat(fixture.database().<Long>value("select count(*) from job_definition"))
                    .isEqualTo(25);
            // One that leaves the queue makes room for one.
            fixture.assigned();
            List<JobSubmitted> more =
                    Parallel.run(
                            8,
                            i -> () -> (i % 2 == 0 ? there : fixture.jobs).submit(fixture.draft()));
            assertThat(more).filteredOn(each -> each instanceof JobSubmitted.Accepted).hasSize(1);
        }
    }

    /// J-379: a batch that does not fit as a whole does not keep out those of it that do.
    @Test
    void room_that_is_smaller_than_a_batch_is_used() {
        try (var fixture = new JobsFixture(JobsFixture.bounds(10, 1000, 0))) {
            List<JobSubmitted> answers =
                    Parallel.run(1040, _ -> () -> fixture.jobs.submit(fixture.draft()));
            assertThat(answers)
                    .filteredOn(each -> each instanceof JobSubmitted.Accepted)
                    .hasSize(1000);
        }
    }

    /// J-093, J-244: what is there already is answered also when the queue is full.
    @Test
    void a_full_queue_still_answers_a_repeated_request() {
        try (var fixture = new JobsFixture(JobsFixture.bounds(10, 1, 0))) {
            NewJob keyed = fixture.draft().once(NewJob.keyOf(fixture.account, "k", new byte[] {1}));
            Job first = fixture.submit(keyed);
            assertThat(fixture.jobs.submit(keyed))
                    .isEqualTo(new JobSubmitted.Accepted(first, true));
            assertThat(fixture.jobs.submit(fixture.draft()))
                    .isEqualTo(new JobSubmitted.QueueFull(1, 1));
            assertThat(
                            fixture.jobs.submit(
                                    fixture.draft()
                                            .once(
                                                    NewJob.keyOf(
                                                            fixture.account, "l", new byte[] {1}))))
                    .isInstanceOf(JobSubmitted.QueueFull.class);
            assertThat(fixture.database().<Long>value("select count(*) from idempotency"))
                    .isEqualTo(1);
        }
    }

    /// J-206, J-379: what comes back from a runner is never refused, and takes its room again.
    @Test
    void what_comes_back_counts_again() {
        try (var fixture = new JobsFixture(JobsFixture.bounds(10, 2, 0))) {
            fixture.in(JobState.ASSIGNED);
            fixture.submit();
            fixture.submit();
            fixture.advance(Duration.ofSeconds(31));
            fixture.sweep("lease-reaper");
            assertThat(fixture.jobs.submit(fixture.draft()))
                    .isInstanceOf(JobSubmitted.QueueFull.class);
            fixture.assigned();
            assertThat(fixture.jobs.submit(fixture.draft()))
                    .isInstanceOf(JobSubmitted.QueueFull.class);
            fixture.assigned();
            fixture.submit();
        }
    }

    /// J-280, J-378, J-384, J-203, S-03: never more than so many at once, from two nodes, while
    /// jobs end and begin.
    @Test
    void no_more_are_active_than_may_be() {
        JobsOptions options = JobsFixture.bounds(5, 1_000, 0);
        try (var fixture = new JobsFixture(options);
                var other =
                        fixture.test.anotherNode(
                                kernel -> kernel.withOwners(List.of(Jobs.owner())));
                var there = new Jobs(other, options, JobsFixture.DEFINITIONS)) {
            for (int i = 0; i < 60; i++) {
                fixture.submit();
            }
            var done = new AtomicBoolean();
            var most = new AtomicLong();
            List<Integer> ran =
                    Parallel.run(
                            13,
                            i ->
                                    () -> {
                                        if (i == 12) {
                                            while (!done.get()) {
                                                most.accumulateAndGet(
                                                        fixture.database()
                                                                .<Long>value(
                                                                        "select count(*) from work"
                                                                                + " where state in"
                                                                                + " ('leased',"
                                                                                + " 'running')"),
                                                        Math::max);
                                            }
                                            return 0;
                                        }
                                        Jobs mine = i % 2 == 0 ? fixture.jobs : there;
                                        int count = 0;
                                        while (!done.get()) {
                                            for (Assigned one : mine.claim("r" + i, 1)) {
                                                mine.start(one);
                                                mine.complete(one, JobsFixture.output(one));
                                                count++;
                                            }
                                            if (fixture.database()
                                                            .<Long>value(
                                                                    "select count(*) from work"
                                                                        + " where finished_ms is"
                                                                        + " null")
                                                    == 0) {
                                                done.set(true);
                                            }
                                        }
                                        return count;
                                    });
            assertThat(ran.stream().mapToInt(Integer::intValue).sum()).isEqualTo(60);
            assertThat(most.get()).isBetween(1L, 5L);
            assertThat(fixture.impossible()).isEmpty();
            assertThat(fixture.unaccounted()).isEmpty();
        }
    }

    /// J-280, J-246, J-247: beyond the bound, jobs stay queued.
    @Test
    void beyond_the_bound_jobs_wait_in_the_queue() {
        try (var fixture = new JobsFixture(JobsFixture.bounds(2, 1_000, 0))) {
            fixture.submit();
            fixture.submit();
            Job third = fixture.submit();
            List<Assigned> claimed = fixture.jobs.claim("runner", 10);
            assertThat(claimed).hasSize(2);
            assertThat(fixture.jobs.claim("runner", 10)).isEmpty();
            assertThat(fixture.job(third.id()).state()).isEqualTo(JobState.QUEUED);
            fixture.jobs.start(claimed.getFirst());
            assertThat(fixture.jobs.claim("runner", 10)).isEmpty();
            fixture.jobs.cancel(fixture.account, claimed.getLast().job().id());
            assertThat(fixture.jobs.claim("runner", 10)).hasSize(1);
        }
    }

    /// J-203, J-204, J-205: in the order of creation, whoever's they are, among those due.
    @Test
    void jobs_are_given_out_in_the_order_of_creation_over_all_accounts() {
        try (var fixture = new JobsFixture()) {
            List<UUID> accounts =
                    List.of(fixture.account, fixture.test.account(), fixture.test.account());
            var order = new ArrayList<UUID>();
            Job later = fixture.submit(fixture.draft().at(fixture.now() + 50));
            for (int i = 0; i < 12; i++) {
                fixture.advance(Duration.ofMillis(10));
                order.add(
                        idOf(
                                fixture.jobs.submit(
                                        NewJob.of(accounts.get((i * 7) % 3), JobType.EXECUTE))));
            }
            // Made first and due by now, so it is the first.
            order.addFirst(later.id());
            var given = new ArrayList<UUID>();
            for (int i = 0; i < 13; i++) {
                Assigned one = fixture.assigned();
                assertThat(one.job().state()).isEqualTo(JobState.ASSIGNED);
                assertThat(one.leaseMs()).isEqualTo(30_000);
                given.add(one.job().id());
            }
            assertThat(given).isEqualTo(order);
            assertThat(fixture.names(later.id()))
                    .containsExactly(JobEvents.CREATED, JobEvents.QUEUED, JobEvents.ASSIGNED);
        }
    }

    /// J-211, J-194: nobody is given what another has.
    @Test
    void many_runners_on_two_nodes_are_given_each_job_once() {
        try (var fixture = new JobsFixture();
                var other =
                        fixture.test.anotherNode(
                                kernel -> kernel.withOwners(List.of(Jobs.owner())));
                var there = new Jobs(other, JobsOptions.DEFAULT, JobsFixture.DEFINITIONS)) {
            for (int i = 0; i < 40; i++) {
                fixture.submit(
                        i % 4 == 0 ? fixture.draft().at(fixture.now() + 5) : fixture.draft());
            }
            fixture.advance(Duration.ofMillis(50));
            List<List<Assigned>> given =
                    Parallel.run(
                            16, i -> () -> (i % 2 == 0 ? fixture.jobs : there).claim("r" + i, 5));
            var ids = new ArrayList<UUID>();
            given.forEach(each -> each.forEach(one -> ids.add(one.job().id())));
            while (ids.size() < 40) {
                ids.add(fixture.assigned().job().id());
            }
            assertThat(new HashSet<>(ids)).hasSize(40);
            assertThat(fixture.jobs.claim("r", 5)).isEmpty();
            assertThat(fixture.impossible()).isEmpty();
        }
    }

    /// L-028.
    @Test
    void with_a_share_one_accounts_crowd_does_not_hold_up_anothers_first_job() {
        try (var fixture = new JobsFixture(JobsFixture.bounds(100, 1_000, 2))) {
            for (int i = 0; i < 30; i++) {
                fixture.submit();
            }
            UUID second = fixture.test.account();
            UUID third = fixture.test.account();
            UUID hers = idOf(fixture.jobs.submit(NewJob.of(second, JobType.EXECUTE)));
            UUID his = idOf(fixture.jobs.submit(NewJob.of(third, JobType.EXECUTE)));
            assertThat(fixture.assigned().job().account()).isEqualTo(fixture.account);
            assertThat(fixture.assigned().job().account()).isEqualTo(fixture.account);
            assertThat(fixture.assigned().job().id()).isEqualTo(hers);
            assertThat(fixture.assigned().job().id()).isEqualTo(his);
            // Nobody else wants anything: nothing is left idle.
            assertThat(fixture.jobs.claim("runner", 5))
                    .hasSize(5)
                    .allMatch(one -> one.job().account().equals(fixture.account));
            assertThat(fixture.impossible()).isEmpty();
        }
    }

    /// L-028: accounts that have nothing to run are in nobody's way, however many they are.
    @Test
    void a_fair_claim_goes_by_all_accounts() {
        try (var fixture = new JobsFixture(JobsFixture.bounds(100, 1_000, 1))) {
            fixture.in(JobState.SUCCEEDED);
            fixture.database()
                    .execute(
                            """
                            with others as (
                              insert into account
                              select (jsonb_populate_record(a,
                                        jsonb_build_object('account_id', gen_random_uuid()))).*
                                from account a, generate_series(1, 1300)
                               where a.account_id = ?
                              returning account_id)
                            insert into work
                            select (jsonb_populate_record(w, jsonb_build_object('account_id', o.account_id,
                                      'state', 'ready', 'finished_ms', null, 'purge_after_ms', null,
                                      'result', null, 'output_ref', null))).*
                              from work w, others o
                            """,
                            fixture.account);
            // Ready, but without a job: there is nothing to give out.
            assertThat(fixture.jobs.claim("runner", 3)).isEmpty();
            var wanted = new HashSet<UUID>();
            for (int i = 0; i < 3; i++) {
                UUID account = fixture.test.account();
                wanted.add(idOf(fixture.jobs.submit(NewJob.of(account, JobType.EXECUTE))));
                fixture.jobs.submit(NewJob.of(account, JobType.EXECUTE));
            }
            for (int i = 0; i < 3; i++) {
                wanted.remove(fixture.assigned().job().id());
            }
            assertThat(wanted).isEmpty();
            assertThat(fixture.jobs.claim("runner", 5)).hasSize(3);
        }
    }

    /// L-028: without a share it is strictly first in, first out.
    @Test
    void without_a_share_a_crowd_goes_first() {
        try (var fixture = new JobsFixture()) {
            for (int i = 0; i < 5; i++) {
                fixture.submit();
            }
            fixture.jobs.submit(NewJob.of(fixture.test.account(), JobType.EXECUTE));
            assertThat(fixture.jobs.claim("runner", 5))
                    .allMatch(one -> one.job().account().equals(fixture.account));
        }
    }

    /// J-315: only where it is set so, and a repeated request is answered anyway.
    @Test
    void without_runners_a_submit_is_refused_where_that_is_set() {
        JobsOptions usual = JobsOptions.DEFAULT;
        var strict =
                new JobsOptions(
                        usual.types(),
                        usual.maxRetries(),
                        usual.backoff(),
                        usual.maxRuntime(),
                        usual.maxActive(),
                        usual.maxWaiting(),
                        usual.maxPayloadBytes(),
                        0,
                        true,
                        usual.failureProbability(),
                        usual.timeScale());
        try (var fixture = new JobsFixture(strict)) {
            NewJob keyed = fixture.draft().once(NewJob.keyOf(fixture.account, "k", new byte[] {1}));
            Job before = fixture.submit(keyed);
            fixture.jobs.runnersKnownBy(() -> false);
            assertThat(fixture.jobs.submit(fixture.draft()))
                    .isInstanceOf(JobSubmitted.NoRunners.class);
            assertThat(fixture.jobs.submit(keyed))
                    .isEqualTo(new JobSubmitted.Accepted(before, true));
            fixture.jobs.runnersKnownBy(() -> true);
            fixture.submit();
        }
    }
}
