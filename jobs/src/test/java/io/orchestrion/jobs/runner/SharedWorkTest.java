package io.orchestrion.jobs.runner;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import io.orchestrion.jobs.JobState;
import io.orchestrion.jobs.handler.JobContext;
import io.orchestrion.jobs.handler.JobHandler;
import io.orchestrion.jobs.handler.Produced;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/// Several runners on one database.
@Timeout(180)
class SharedWorkTest {
    private final RunnerFixture fixture = new RunnerFixture();

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    /// Notes who runs what, and how much at a time.
    private static final class Watchful implements JobHandler {
        private final Map<UUID, AtomicInteger> runs;
        private final AtomicInteger twice;
        private final AtomicInteger now = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();

        Watchful(Map<UUID, AtomicInteger> runs, AtomicInteger twice) {
            this.runs = runs;
            this.twice = twice;
        }

        @Override
        public String name() {
            return "watchful";
        }

        @Override
        public Produced run(JobContext context) throws Exception {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            try {
                int times =
                        runs.computeIfAbsent(context.jobId(), _ -> new AtomicInteger())
                                .incrementAndGet();
                if (times > 1) {
                    twice.incrementAndGet();
                }
                context.pause(Duration.ofMillis(5));
                return Produced.nothing();
            } finally {
                now.decrementAndGet();
            }
        }
    }

    /// J-204, J-209, J-211.
    @Test
    void runners_of_three_processes_share_the_work_and_never_run_one_job_twice() {
        var runs = new ConcurrentHashMap<UUID, AtomicInteger>();
        var twice = new AtomicInteger();
        var ids = new ArrayList<UUID>();
        for (int i = 0; i < 120; i++) {
            ids.add(fixture.submitFor("watchful", "{}").id());
        }
        var here = new Watchful(runs, twice);
        var there = new Watchful(runs, twice);
        var alone = new Watchful(runs, twice);
        fixture.run(RunnerFixture.quick("here", 4, 1), here);
        fixture.runElsewhere(RunnerFixture.quick("there", 3, 1), RunnerListener.NONE, there);
        fixture.runElsewhere(RunnerFixture.quick("alone", 1, 1), RunnerListener.NONE, alone);
        ids.forEach(id -> fixture.await(id, JobState.SUCCEEDED));
        assertThat(runs).hasSize(120);
        assertThat(twice).hasValue(0);
        assertThat(here.most.get()).isBetween(1, 4);
        assertThat(there.most.get()).isBetween(1, 3);
        assertThat(alone.most.get()).isEqualTo(1);
        assertThat(fixture.registry.availableNow().runners()).isEqualTo(3);
        assertThat(fixture.registry.availableNow().capacity()).isEqualTo(8);
    }

    /// J-104: also when the cancel came to another node than the one that runs the job.
    @Test
    void a_cancellation_on_one_node_stops_the_work_on_another() {
        UUID id = fixture.submit("RUNS_LONG").id();
        RunnerPool there =
                fixture.runElsewhere(RunnerFixture.quick("there", 1, 1), RunnerListener.NONE);
        fixture.await(id, JobState.RUNNING);
        fixture.cancel(id);
        Until.isTrue("its place is free", RunnerFixture.SOON, () -> there.busy() == 0);
    }

    /// J-019.
    @Test
    void the_lines_of_a_run_tell_scenario_duration_and_expected_outcome() {
        var logger = (Logger) LoggerFactory.getLogger(JobRun.class);
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        Level before = logger.getLevel();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
        try {
            UUID id = fixture.submit("FAIL_AFTER_PROGRESS").id();
            RunnerPool pool = fixture.run(RunnerFixture.quick("logged", 1, 0.001));
            fixture.await(id, JobState.FAILED);
            pool.stop(RunnerFixture.SOON);
            List<Map<String, String>> said =
                    lines.list.stream()
                            .map(
                                    line ->
                                            line.getKeyValuePairs().stream()
                                                    .collect(
                                                            Collectors.toMap(
                                                                    pair -> pair.key,
                                                                    pair ->
                                                                            String.valueOf(
                                                                                    pair.value))))
                            .filter(pairs -> id.toString().equals(pairs.get("job_id")))
                            .toList();
            assertThat(said).hasSize(2);
            assertThat(said)
                    .allSatisfy(
                            pairs ->
                                    assertThat(pairs)
                                            .containsEntry("scenario", "FAIL_AFTER_PROGRESS")
                                            .containsEntry("duration_ms", "20000")
                                            .containsEntry("expected_outcome", "FAILED")
                                            .containsEntry("attempt", "1"));
            assertThat(said.getLast()).containsEntry("state", "FAILED").containsKey("reason");
        } finally {
            logger.detachAppender(lines);
            logger.setLevel(before);
        }
    }
}
