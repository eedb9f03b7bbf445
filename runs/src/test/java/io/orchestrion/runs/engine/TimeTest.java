package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.agent;
import static io.orchestrion.runs.engine.RunFixture.mode;
import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.plan;
import static io.orchestrion.runs.engine.RunFixture.step;
import static io.orchestrion.runs.engine.RunFixture.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.runs.engine.RunsOptions.AfterOutage;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.runs.tree.StepAttempt;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.UUID;

/// What happens when something takes too long.
class TimeTest {
    private final RunFixture fixture = new RunFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private void clocks(Duration by) {
        fixture.test.clock().advance(by);
        fixture.test.kernel().sweepOnce("run-clocks");
    }

    /// an attempt that takes more than 30 s is tried again.
    @Test
    void a_step_that_takes_too_long_is_tried_again() {
        UUID id = fixture.running(one(step("a")));
        fixture.claim("a");
        fixture.later(Duration.ofSeconds(31));
        assertThat(fixture.attempts(fixture.step(id, "a")))
                .first()
                .satisfies(each -> assertThat(each.ended().errorCode()).isEqualTo("TimeoutError"));
        fixture.later(Duration.ofSeconds(1));
        fixture.done("a");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }

    ///
    @Test
    void the_delays_double_and_scatter() {
        UUID id = fixture.running(one(step("a")));
        fixture.failed("a", "MemoryError");
        fixture.later(Duration.ofSeconds(1));
        fixture.failed("a", "DiskError");
        fixture.later(Duration.ofSeconds(1));
        fixture.done("a");
        var attempts = fixture.attempts(fixture.step(id, "a"));
        assertThat(waited(attempts.get(0), attempts.get(1))).isBetween(90L, 110L);
        assertThat(waited(attempts.get(1), attempts.get(2))).isBetween(180L, 220L);
    }

    private static long waited(StepAttempt before, StepAttempt next) {
        return next.times().notBeforeMs() - before.times().endedMs();
    }

    ///
    @Test
    void a_task_that_takes_too_long_fails() {
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        mode("continue"),
                                        task("t", "", step("a", ",\"timeout_ms\":7200000")),
                                        task("u", "", step("b")))));
        WorkItem held = fixture.claim("a");
        for (int i = 0; i < 61; i++) {
            fixture.test.clock().advance(Duration.ofSeconds(59));
            fixture.say(
                    held,
                    new io.orchestrion.kernel.work.Command.Heartbeat(
                            io.orchestrion.kernel.work.Fence.of(held.lease().token())));
        }
        clocks(Duration.ofSeconds(10));
        assertThat(fixture.tree(id)).contains("- t skipped", "-- a cancelled");
        assertThat(fixture.tasks(fixture.agents(id).getFirst()).getFirst().fault().code())
                .isEqualTo("TimeoutError");
        fixture.done("b");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }

    ///
    @Test
    void an_agent_that_takes_too_long_fails() {
        UUID id = fixture.running(one(step("a", ",\"timeout_ms\":1000"), step("b")));
        fixture.done("a");
        beats(Duration.ofHours(6).plusSeconds(1));
        fixture.test.database().execute("update run_task set deadline_ms = null");
        clocks(Duration.ZERO);
        assertThat(fixture.agents(id).getFirst().status()).isEqualTo(AgentStatus.FAILED);
        assertThat(fixture.run(id).note().error()).isEqualTo("the agent took too long");
    }

    /// Time passes, and the run is driven all the while.
    private void beats(Duration by) {
        fixture.test.clock().advance(by);
        fixture.test.kernel().sweepOnce("run-heartbeats");
    }

    ///
    @Test
    void a_run_that_nobody_picks_up_fails_after_a_day() {
        UUID id =
                fixture.create(fixture.asked(one(step("a")), FailureMode.FAIL_FAST, each -> each));
        fixture.start(id);
        clocks(Duration.ofHours(23));
        assertThat(fixture.status(id)).isEqualTo(RunStatus.PENDING);
        clocks(Duration.ofHours(1));
        Run run = fixture.run(id);
        assertThat(run.status()).isEqualTo(RunStatus.FAILED);
        assertThat(run.note().error()).contains("pending for too long");
        assertThat(fixture.ledger(id)).containsExactly("reserve 100", "refund 100");
    }

    /// CB-033: pauses do not count.
    @Test
    void a_run_that_runs_for_a_day_fails() {
        UUID id = fixture.running(one(step("a"), step("b")));
        fixture.done("a");
        beats(Duration.ofHours(3));
        fixture.pause(id);
        fixture.test.clock().advance(Duration.ofDays(3));
        fixture.resume(id);
        fixture.drive(id, RunStatus.RUNNING);
        Long deadline = fixture.run(id).times().deadlineMs();
        assertThat(deadline - fixture.run(id).times().runningSinceMs())
                .isBetween(Duration.ofHours(20).toMillis(), Duration.ofHours(21).toMillis());
        fixture.test.database().execute("update run_task set deadline_ms = null");
        fixture.test.database().execute("update run_agent set deadline_ms = null");
        clocks(Duration.ofHours(21));
        assertThat(fixture.status(id)).isEqualTo(RunStatus.FAILED);
        assertThat(fixture.run(id).note().error()).contains("running for too long");
        assertThat(fixture.agents(id).getFirst().status()).isEqualTo(AgentStatus.FAILED);
    }

    ///
    @Test
    void a_pause_of_a_week_ends_the_run() {
        UUID id = fixture.running(one(step("a")));
        fixture.pause(id);
        clocks(Duration.ofDays(7));
        assertThat(fixture.status(id)).isEqualTo(RunStatus.CANCELLED);
        assertThat(fixture.ledger(id)).containsExactly("reserve 100", "refund 100");
    }

    ///
    @Test
    void a_resume_of_five_minutes_fails_the_run() {
        UUID id = fixture.running(one(step("a")));
        fixture.pause(id);
        fixture.resume(id);
        clocks(Duration.ofMinutes(5));
        assertThat(fixture.status(id)).isEqualTo(RunStatus.FAILED);
        assertThat(fixture.agents(id).getFirst().status()).isEqualTo(AgentStatus.FAILED);
    }

    ///
    @Test
    void a_retry_that_nobody_picks_up_fails_after_a_day() {
        UUID id = fixture.running(one(step("a")));
        fixture.failed("a", "ValueError");
        fixture.retry(id);
        clocks(Duration.ofHours(24));
        assertThat(fixture.status(id)).isEqualTo(RunStatus.FAILED);
        assertThat(fixture.ledger(id))
                .containsExactly("reserve 100", "refund 100", "reserve 100", "refund 100");
    }

    ///
    @Test
    void a_run_without_a_heartbeat_fails_after_a_minute() {
        UUID id = fixture.running(one(step("a")));
        fixture.test.clock().advance(Duration.ofSeconds(30));
        fixture.test.kernel().sweepOnce("run-heartbeat-monitor");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RUNNING);
        fixture.test.clock().advance(Duration.ofSeconds(31));
        fixture.test.kernel().sweepOnce("run-heartbeat-monitor");
        Run run = fixture.run(id);
        assertThat(run.status()).isEqualTo(RunStatus.FAILED);
        assertThat(run.note().error()).isEqualTo("Worker heartbeat timeout");
        assertThat(fixture.agents(id).getFirst().status()).isEqualTo(AgentStatus.FAILED);
        assertThat(fixture.ledger(id)).containsExactly("reserve 100", "refund 100");
    }

    ///
    @Test
    void a_driven_run_has_a_heartbeat() {
        UUID id = fixture.running(one(step("a")));
        for (int i = 0; i < 10; i++) {
            beats(Duration.ofSeconds(10));
            fixture.test.kernel().sweepOnce("run-heartbeat-monitor");
        }
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RUNNING);
        long now = fixture.runs.inOne(tx -> tx.nowMillis());
        assertThat(now - fixture.run(id).times().heartbeatMs()).isLessThan(10_000);
    }

    /// CB-042.
    @Test
    void another_node_takes_the_run_over_and_finds_its_agents() {
        UUID id = fixture.running(one(step("a")));
        try (var other = fixture.secondNode()) {
            fixture.test.clock().advance(Duration.ofSeconds(40));
            other.kernel().sweepOnce("lease-reaper");
            long beat = fixture.run(id).times().heartbeatMs();
            io.orchestrion.testkit.Until.isTrue(
                    "the other node drives it",
                    Duration.ofSeconds(20),
                    () -> {
                        other.kernel().sweepOnce("run-drivers");
                        return fixture.run(id).times().heartbeatMs() > beat;
                    });
            assertThat(fixture.agents(id)).hasSize(1);
            fixture.test.clock().advance(Duration.ofSeconds(30));
            other.kernel().sweepOnce("run-heartbeat-monitor");
            assertThat(fixture.status(id)).isEqualTo(RunStatus.RUNNING);
        }
    }

    /// R-320, CB-042: with the setting, runs that nobody drove during an outage go on.
    @Test
    void runs_can_be_adopted_after_an_outage() {
        try (var adopting = new RunFixture(options -> Options.after(options, AfterOutage.ADOPT))) {
            UUID id = adopting.running(one(step("a")));
            adopting.test.clock().advance(Duration.ofMinutes(10));
            adopting.test.kernel().sweepOnce("run-heartbeat-monitor");
            assertThat(adopting.status(id)).isEqualTo(RunStatus.RUNNING);
            adopting.test.clock().advance(Duration.ofSeconds(61));
            adopting.test.kernel().sweepOnce("run-heartbeat-monitor");
            assertThat(adopting.status(id)).isEqualTo(RunStatus.FAILED);
        }
    }

    @Test
    void an_old_run_goes_and_its_entries_stay() {
        try (var forgetting =
                new RunFixture(options -> Options.kept(options, Duration.ofDays(30)))) {
            UUID id = forgetting.running(one(step("a"), step("b")));
            forgetting.done("a");
            forgetting.failed("b", "ValueError");
            forgetting.test.clock().advance(Duration.ofDays(31));
            for (int i = 0; i < 5; i++) {
                forgetting.test.kernel().sweepOnce("run-purger");
            }
            for (String table :
                    java.util.List.of(
                            "run",
                            "run_attempt",
                            "run_transition",
                            "run_decision",
                            "run_plan",
                            "run_agent",
                            "run_task",
                            "run_step",
                            "run_step_attempt",
                            "run_message")) {
                assertThat(forgetting.value("select count(*) from " + table))
                        .as(table)
                        .isEqualTo("0");
            }
            assertThat(forgetting.ledger(id))
                    .containsExactly("reserve 100", "charge 0.01", "refund 99.99");
        }
    }
}
