package io.orchestrion.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/// Many at the same job, and many at many.
@Timeout(180)
class JobRaceTest {
    private static final int RUNS = 1_000;

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

    /// J-267, J-216, J-214: a thousand times, exactly one wins.
    @Test
    void of_a_cancellation_and_a_completion_one_wins() {
        var canceled = new AtomicInteger();
        int atOnce = 50;
        for (int round = 0; round < RUNS / atOnce; round++) {
            for (int i = 0; i < atOnce; i++) {
                fixture.submit();
            }
            List<Assigned> mine = fixture.jobs.claim("runner", atOnce);
            Parallel.run(atOnce, i -> () -> fixture.jobs.start(mine.get(i)));
            Map<UUID, Object> states = new HashMap<>();
            List<Boolean> done =
                    Parallel.run(
                            2 * atOnce,
                            i ->
                                    () -> {
                                        Assigned one = mine.get(i / 2);
                                        return i % 2 == 0
                                                ? fixture.jobs.complete(
                                                                one, JobsFixture.output(one))
                                                        instanceof RunnerAck.Applied
                                                : fixture.jobs.cancel(
                                                                fixture.account, one.job().id())
                                                        instanceof JobAck.Done;
                                    });
            fixture.database()
                    .rows("select job_id, state from job_readable")
                    .forEach(row -> states.put((UUID) row.get("job_id"), row.get("state")));
            for (int i = 0; i < atOnce; i++) {
                boolean completed = done.get(2 * i);
                boolean stopped = done.get(2 * i + 1);
                assertThat(completed).isNotEqualTo(stopped);
                Job job = fixture.job(mine.get(i).job().id());
                assertThat(job.state()).isEqualTo(stopped ? JobState.CANCELED : JobState.SUCCEEDED);
                canceled.addAndGet(stopped ? 1 : 0);
            }
        }
        assertThat(fixture.impossible()).isEmpty();
        assertThat(fixture.unaccounted()).isEmpty();
        assertThat(fixture.database().<Long>value("select count(*) from job_report"))
                .isEqualTo(RUNS);
        assertThat(fixture.database().<Long>value("select count(*) from work_event"))
                .isEqualTo(5L * RUNS);
    }

    /// J-214, J-216, J-211: a mixed load on two nodes, with leases that run out in the middle.
    @Test
    void a_mixed_load_leaves_only_possible_histories() {
        long seed = System.nanoTime();
        try (var other =
                        fixture.test.anotherNode(
                                options -> options.withOwners(List.of(Jobs.owner())));
                var there = new Jobs(other, JobsOptions.DEFAULT, JobsFixture.DEFINITIONS)) {
            Parallel.run(
                    12,
                    i ->
                            () -> {
                                var random = new Random(seed + i);
                                Jobs mine = i % 2 == 0 ? fixture.jobs : there;
                                var ids = new ArrayList<UUID>();
                                for (int n = 0; n < 60; n++) {
                                    step(mine, random, ids);
                                }
                                return 0;
                            });
        }
        assertThat(fixture.impossible()).as("seed " + seed).isEmpty();
        assertThat(fixture.unaccounted()).as("seed " + seed).isEmpty();
        assertThat(
                        fixture.database()
                                .<Long>value(
                                        "select count(*) from work w left join job_definition d on"
                                                + " d.job_id = w.id where d.job_id is null"))
                .isZero();
    }

    private static void step(Jobs jobs, Random random, List<UUID> ids) {
        switch (random.nextInt(6)) {
            case 0, 1 -> {
                NewJob job =
                        random.nextInt(4) == 0
                                ? fixture.draft().at(fixture.now() + random.nextInt(200))
                                : fixture.draft();
                // Others move the clock: a time may have passed meanwhile.
                if (jobs.submit(job) instanceof JobSubmitted.Accepted accepted) {
                    ids.add(accepted.job().id());
                }
            }
            case 2, 3 -> jobs.claim("r", 2).forEach(one -> run(jobs, random, one));
            case 4 -> {
                if (!ids.isEmpty()) {
                    UUID id = ids.get(random.nextInt(ids.size()));
                    if (random.nextBoolean()) {
                        jobs.cancel(fixture.account, id);
                    } else {
                        jobs.retry(fixture.account, id);
                    }
                }
            }
            default -> {
                if (random.nextInt(10) == 0) {
                    fixture.advance(Duration.ofSeconds(20));
                }
                fixture.sweep(random.nextBoolean() ? "lease-reaper" : "due-promoter");
            }
        }
    }

    private static void run(Jobs jobs, Random random, Assigned one) {
        if (random.nextInt(5) == 0) {
            return;
        }
        jobs.start(one);
        switch (random.nextInt(5)) {
            case 0 -> {}
            case 1 -> jobs.fail(one, JobsFixture.failure());
            case 2 -> jobs.timeOut(one);
            default -> {
                jobs.heartbeat(one);
                jobs.complete(one, JobsFixture.output(one));
            }
        }
    }
}
