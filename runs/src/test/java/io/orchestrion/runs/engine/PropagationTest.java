package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.after;
import static io.orchestrion.runs.engine.RunFixture.agent;
import static io.orchestrion.runs.engine.RunFixture.mode;
import static io.orchestrion.runs.engine.RunFixture.parallel;
import static io.orchestrion.runs.engine.RunFixture.plan;
import static io.orchestrion.runs.engine.RunFixture.step;
import static io.orchestrion.runs.engine.RunFixture.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.Decision;
import io.orchestrion.runs.state.RunStatus;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.UUID;

/// What parents do about children that have failed for good, on each level.
class PropagationTest {
    private final RunFixture fixture = new RunFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    /// What was completed stays so.
    @Test
    void fail_fast_ends_everything_and_keeps_what_was_completed() {
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        "",
                                        task("t", "", step("a")),
                                        task("u", "", step("b"), step("c")),
                                        task("v", "", step("d"))),
                                agent("two", "", task("w", "", step("e")))));
        fixture.done("a");
        fixture.claim("e");
        fixture.failed("b", "ValueError");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.FAILED);
        assertThat(fixture.tree(id))
                .containsExactly(
                        "one failed",
                        "- t completed",
                        "-- a completed",
                        "- u failed",
                        "-- b failed",
                        "-- c cancelled",
                        "- v cancelled",
                        "-- d cancelled",
                        "two cancelled",
                        "- w cancelled",
                        "-- e cancelled");
        assertThat(
                        fixture.value(
                                "select count(*) from item where state in"
                                        + " ('ready','running','waiting','leased')"))
                .isEqualTo("0");
    }

    ///
    @Test
    void a_task_that_continues_skips_the_step() {
        UUID id =
                fixture.running(
                        plan(agent("one", "", task("t", mode("continue"), step("a"), step("b")))));
        fixture.failed("a", "ValueError");
        fixture.done("b");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        assertThat(fixture.tree(id))
                .containsExactly(
                        "one completed", "- t completed", "-- a skipped", "-- b completed");
        assertThat(fixture.step(id, "a").fault().code()).isEqualTo("ValueError");
    }

    /// CB-051: all skipped is skipped, and not failed.
    @Test
    void a_task_whose_steps_were_all_skipped_is_skipped() {
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        "",
                                        task("t", mode("continue"), step("a"), step("b")),
                                        task("u", "", step("c")))));
        fixture.failed("a", "ValueError");
        fixture.failed("b", "ValueError");
        fixture.done("c");
        assertThat(fixture.tree(id))
                .containsExactly(
                        "one completed",
                        "- t skipped",
                        "-- a skipped",
                        "-- b skipped",
                        "- u completed",
                        "-- c completed");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }

    ///
    @Test
    void a_task_that_retries_begins_from_its_first_step_three_times() {
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        "",
                                        task(
                                                "t",
                                                mode("retry"),
                                                step("a"),
                                                step("b", ",\"max_attempts\":1")))));
        String key = fixture.step(id, "b").call().key();
        for (int i = 1; i <= 3; i++) {
            fixture.later(Duration.ofSeconds(1));
            fixture.done("a");
            fixture.failed("b", "ConnectionError");
        }
        assertThat(fixture.status(id)).isEqualTo(RunStatus.FAILED);
        assertThat(fixture.attempts(fixture.step(id, "a"))).hasSize(3);
        assertThat(fixture.attempts(fixture.step(id, "b"))).hasSize(3);
        assertThat(fixture.step(id, "b").call().key()).isEqualTo(key);
        assertThat(fixture.run(id).credits().charged()).isEqualByComparingTo("0.03");
    }

    /// R-150, CB-048.
    @Test
    void a_task_that_retries_does_not_retry_what_cannot_get_better() {
        UUID id = fixture.running(plan(agent("one", "", task("t", mode("retry"), step("a")))));
        fixture.failed("a", "ValueError");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.FAILED);
    }

    ///
    @Test
    void an_agent_that_continues_skips_the_task_and_what_depends_on_it() {
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        mode("continue") + ",\"parallelism_mode\":\"dag\"",
                                        task("t", "", step("a")),
                                        task("u", after("t"), step("b")),
                                        task("v", "", step("c")))));
        fixture.failed("a", "ValueError");
        fixture.done("c");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        assertThat(fixture.tree(id))
                .containsExactly(
                        "one completed",
                        "- t skipped",
                        "-- a failed",
                        "- u skipped",
                        "-- b cancelled",
                        "- v completed",
                        "-- c completed");
        assertThat(fixture.tasks(fixture.agents(id).getFirst()).get(1).fault().skipReason())
                .isEqualTo("dependency_failed");
    }

    ///
    @Test
    void an_agent_that_retries_begins_from_its_first_task() {
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        mode("retry"),
                                        task("t", "", step("a")),
                                        task("u", "", step("b", ",\"max_attempts\":1")))));
        for (int i = 1; i <= 2; i++) {
            fixture.later(Duration.ofSeconds(1));
            fixture.done("a");
            fixture.failed("b", "ConnectionError");
        }
        fixture.later(Duration.ofSeconds(1));
        fixture.done("a");
        fixture.done("b");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        assertThat(fixture.agents(id).getFirst().progress().attempt()).isEqualTo(3);
    }

    ///
    @Test
    void a_run_that_continues_skips_the_agent() {
        UUID id =
                fixture.running(
                        plan(
                                agent("one", "", task("t", "", step("a"))),
                                agent("two", "", task("t", "", step("b"))),
                                agent("three", "", task("t", "", step("c")))),
                        FailureMode.CONTINUE);
        fixture.failed("a", "ValueError");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RUNNING);
        fixture.done("b");
        fixture.done("c");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        assertThat(fixture.agents(id).getFirst().status().word()).isEqualTo("skipped");
    }

    ///
    @Test
    void a_run_whose_agents_were_all_skipped_is_skipped_and_settled() {
        UUID id =
                fixture.running(
                        plan(
                                agent("one", "", task("t", "", step("a"))),
                                agent("two", "", task("t", "", step("b"), step("c")))),
                        FailureMode.CONTINUE);
        fixture.failed("a", "ValueError");
        fixture.done("b");
        fixture.failed("c", "ValueError");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.SKIPPED);
        assertThat(fixture.run(id).times().ends().completedMs()).isNotNull();
        assertThat(fixture.ledger(id))
                .containsExactly("reserve 100", "charge 0.01", "refund 99.99");
    }

    ///
    @Test
    void a_run_that_retries_fails_and_begins_anew_by_itself() {
        UUID id =
                fixture.running(
                        plan(agent("one", "", task("t", "", step("a", ",\"max_attempts\":1")))),
                        FailureMode.RETRY);
        String key = fixture.step(id, "a").call().key();
        fixture.failed("a", "ConnectionError");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RETRYING);
        assertThat(fixture.run(id).attempt()).isEqualTo(2);
        assertThat(fixture.run(id).counts().agents()).isZero();
        fixture.later(Duration.ofSeconds(1));
        fixture.drive(id, RunStatus.RUNNING);
        assertThat(fixture.agents(id))
                .extracting(each -> each.place().attempt())
                .containsExactly(1, 2);
        assertThat(fixture.tree(id))
                .containsExactly(
                        "one failed",
                        "- t failed",
                        "-- a failed",
                        "one pending",
                        "- t pending",
                        "-- a pending");
        assertThat(fixture.steps(id).getFirst().fault().code()).isEqualTo("ConnectionError");
        assertThat(fixture.steps(id).getLast().call().key()).isNotEqualTo(key);
        fixture.done("a");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        assertThat(fixture.ledger(id))
                .containsExactly(
                        "reserve 100", "refund 100", "reserve 100", "charge 0.01", "refund 99.99");
        assertThat(fixture.transitions(id))
                .containsSubsequence(
                        "running -> failed",
                        "failed -> retrying",
                        "retrying -> pending",
                        "pending -> running",
                        "running -> completed");
    }

    /// CB-057: the last failure is told to people.
    @Test
    void a_run_is_retried_until_its_attempts_are_used_up() {
        UUID id =
                fixture.running(
                        plan(agent("one", "", task("t", "", step("a", ",\"max_attempts\":1")))),
                        FailureMode.RETRY);
        fixture.failed("a", "ConnectionError");
        for (int i = 2; i <= 3; i++) {
            fixture.later(Duration.ofSeconds(1));
            fixture.drive(id, RunStatus.RUNNING);
            fixture.failed("a", "ConnectionError");
        }
        assertThat(fixture.status(id)).isEqualTo(RunStatus.FAILED);
        assertThat(fixture.run(id).attempt()).isEqualTo(3);
        assertThat(fixture.run(id).note().escalated()).isTrue();
        assertThat(fixture.value("select trigger from run_ticket")).isEqualTo("max_attempts");
    }

    ///
    @Test
    void each_decision_is_kept_with_what_it_was_made_by() {
        UUID id =
                fixture.running(
                        plan(agent("one", "", task("t", mode("continue"), step("a"), step("b")))));
        fixture.failed("a", "ConnectionError");
        fixture.later(Duration.ofSeconds(1));
        fixture.failed("a", "ValueError");
        assertThat(
                        fixture.decisions(id).stream()
                                .map(each -> each.level().word() + " " + each.kind().word()))
                .containsExactly("step retry", "step stop", "task skip");
        Decision retry = fixture.decisions(id).getFirst();
        assertThat(retry.inputs()).contains("\"attempt\":1", "ConnectionError", "thresholds");
        assertThat(retry.outcome()).contains("delay_ms");
    }

    /// R-232 and CB-070 for steps.
    @Test
    void steps_that_depend_on_a_skipped_one_are_skipped() {
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        "",
                                        task(
                                                "t",
                                                mode("continue") + parallel(),
                                                step("a"),
                                                step("b", after("a")),
                                                step("c", after("b")),
                                                step("d")))));
        fixture.done("d");
        fixture.failed("a", "ValueError");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        assertThat(fixture.tree(id))
                .containsExactly(
                        "one completed",
                        "- t completed",
                        "-- a skipped",
                        "-- b skipped",
                        "-- c skipped",
                        "-- d completed");
    }
}
