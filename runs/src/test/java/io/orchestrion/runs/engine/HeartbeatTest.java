package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.agent;
import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.plan;
import static io.orchestrion.runs.engine.RunFixture.step;
import static io.orchestrion.runs.engine.RunFixture.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.runs.engine.RunsOptions.AfterOutage;
import io.orchestrion.runs.engine.RunsOptions.Heart;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.RunStatus;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/// Runs whose drivers are gone.
class HeartbeatTest {
    private final RunFixture fixture = new RunFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    /// However seldom the other sweeps of the server are made.
    @Test
    void the_monitor_looks_every_ten_seconds_at_the_least() {
        for (Duration beat : List.of(Duration.ofSeconds(3), Duration.ofMinutes(5))) {
            var heart = new Heart(beat, Duration.ofSeconds(60), AfterOutage.FAIL);
            var monitor =
                    new HeartbeatMonitor(
                            new Engine(
                                    fixture.test.kernel(), Options.heart(fixture.options, heart)));
            assertThat(monitor.pace(Duration.ofMinutes(10)))
                    .isLessThanOrEqualTo(Duration.ofSeconds(10));
        }
    }

    private long nowMs() {
        return fixture.runs.inOne(tx -> tx.nowMillis());
    }

    /// Three of five agents are completed when the node that drives the
    /// run is lost. The run ends within 70 s of the last heartbeat, and not before 60 s are over.
    @Test
    void a_run_with_three_of_five_agents_completed_does_not_run_for_ever() {
        String[] five =
                IntStream.range(0, 5)
                        .mapToObj(i -> agent("g" + i, "", task("t", "", step("s" + i))))
                        .toArray(String[]::new);
        UUID id = fixture.create(fixture.asked(plan(five), FailureMode.FAIL_FAST, each -> each));
        fixture.start(id);
        try (var lost = fixture.secondNode()) {
            fixture.drive(lost.kernel(), id, RunStatus.RUNNING);
        }
        for (int i = 0; i < 3; i++) {
            fixture.done("s" + i);
        }
        WorkItem held = fixture.claim("s3");
        long beat = fixture.run(id).times().heartbeatMs();
        // The first look after 60 s ends the run, and none before.
        while (fixture.status(id) == RunStatus.RUNNING) {
            fixture.test.clock().advance(Duration.ofSeconds(10));
            long before = nowMs() - beat;
            fixture.test.kernel().sweepOnce("run-heartbeat-monitor");
            boolean failed = fixture.status(id) == RunStatus.FAILED;
            if (before > 60_000) {
                assertThat(failed).isTrue();
            } else if (nowMs() - beat < 60_000) {
                assertThat(failed).isFalse();
            }
        }
        Run run = fixture.run(id);
        assertThat(run.status()).isEqualTo(RunStatus.FAILED);
        assertThat(run.times().ends().completedMs() - beat).isGreaterThanOrEqualTo(60_000);
        assertThat(run.note().error()).isEqualTo("Worker heartbeat timeout");
        assertThat(fixture.agents(id))
                .extracting(each -> each.status().word())
                .containsExactly("completed", "completed", "completed", "failed", "cancelled");
        assertThat(fixture.ledger(id))
                .containsExactly("reserve 100", "charge 0.03", "refund 99.97");
        assertThat(fixture.complete(held, "{}"))
                .isInstanceOf(io.orchestrion.kernel.work.Ack.Refused.class);
        assertThat(fixture.retry(id)).isInstanceOf(Ack.Done.class);
    }

    /// R-320, CB-042: at the start after an outage of all nodes it is failed, and may be retried.
    @Test
    void a_run_that_nobody_drove_for_an_hour_is_failed_at_the_start() {
        UUID id = fixture.running(one(step("a")));
        fixture.test.clock().advance(Duration.ofHours(1));
        try (var started = fixture.secondNode()) {
            started.kernel().sweepOnce("run-heartbeat-monitor");
        }
        assertThat(fixture.status(id)).isEqualTo(RunStatus.FAILED);
        assertThat(fixture.retry(id)).isInstanceOf(Ack.Done.class);
        fixture.drive(id, RunStatus.RUNNING);
    }

    /// Heartbeats are noted by whoever drives the run, and by nobody else: the look for lost ones
    /// stamps nothing.
    @Test
    void a_look_for_lost_runs_is_no_heartbeat() {
        UUID id = fixture.running(one(step("a")));
        long beat = fixture.run(id).times().heartbeatMs();
        try (var other = fixture.secondNode()) {
            fixture.test.clock().advance(Duration.ofSeconds(20));
            other.kernel().sweepOnce("run-heartbeat-monitor");
            other.kernel().sweepOnce("run-heartbeats");
            other.kernel().sweepOnce("run-clocks");
        }
        assertThat(fixture.run(id).times().heartbeatMs()).isEqualTo(beat);
        fixture.test.kernel().sweepOnce("run-heartbeats");
        assertThat(fixture.run(id).times().heartbeatMs()).isGreaterThan(beat);
    }
}
