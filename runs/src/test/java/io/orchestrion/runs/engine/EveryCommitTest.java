package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.agent;
import static io.orchestrion.runs.engine.RunFixture.mode;
import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.parallel;
import static io.orchestrion.runs.engine.RunFixture.plan;
import static io.orchestrion.runs.engine.RunFixture.step;
import static io.orchestrion.runs.engine.RunFixture.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.RunStatus;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.UUID;
import java.util.stream.IntStream;

/// Runs on all their ways, while the database looks at each commit whether what always holds does.
class EveryCommitTest {
    private final RunFixture fixture = new RunFixture();

    @BeforeEach
    void watch() {
        CommitWatch.over(fixture.test.database());
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /// The rules bite: each of these is a transaction that breaks one.
    @Test
    void a_transaction_that_breaks_a_rule_does_not_commit() {
        UUID id = fixture.running(one(step("a"), step("b")));
        for (String[] each :
                new String[][] {
                    {"update run set task_count = 7", "R-035"},
                    {"update run set agent_count = 2", "R-114"},
                    {"update run_agent set task_count = 0", "R-115"},
                    {"update run_task set step_count = 3", "R-116"},
                    {"update run_agent set status = 'cancelled'", "R-036"},
                    {"update run_agent set status = 'paused'", "R-036"},
                    {"update run set credits_reserved = 90", "R-213"},
                    {
                        "update run set status = 'cancelled', running_since_ms = null, cancelled_ms"
                                + " = 1, duration_ms = 1, credits_refunded = 100",
                        "R-110"
                    }
                }) {
            assertThatThrownBy(() -> fixture.test.database().execute(each[0]))
                    .as(each[0])
                    .hasStackTraceContaining("broken at a commit: " + each[1]);
        }
        fixture.done("a");
        fixture.done("b");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }

    /// ..R-116. Of two agents one is completed
    /// while the run goes on.
    @Test
    void a_run_goes_on_while_one_of_its_agents_is_completed() {
        UUID id =
                fixture.running(
                        plan(
                                agent("one", "", task("t", "", step("a"))),
                                agent(
                                        "two",
                                        parallel(),
                                        task("t", parallel(), step("b"), step("c")),
                                        task("u", "", step("d")))));
        fixture.done("a");
        Run run = fixture.run(id);
        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
        assertThat(run.counts().tasks()).isEqualTo(3);
        assertThat(fixture.agents(id))
                .extracting(each -> each.status())
                .containsExactly(AgentStatus.COMPLETED, AgentStatus.PENDING);
        fixture.done("b");
        fixture.done("d");
        fixture.done("c");
        Run ended = fixture.run(id);
        assertThat(ended.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(ended.credits().charged())
                .isPositive()
                .isLessThanOrEqualTo(ended.credits().reserved());
    }

    ///
    @Test
    void a_run_that_fails_fast_says_why_and_gives_the_rest_back() {
        UUID id =
                fixture.running(
                        plan(
                                agent("one", "", task("t", "", step("a"), step("b"))),
                                agent("two", "", task("t", "", step("c")))));
        fixture.complete(fixture.claim("a"), "{}", "{\"tokens\":3000}");
        WorkItem held = fixture.claim("c");
        fixture.test.clock().advance(Duration.ofSeconds(5));
        fixture.failed("b", "ValueError");
        Run run = fixture.run(id);
        assertThat(run.status()).isEqualTo(RunStatus.FAILED);
        assertThat(run.note().error()).isEqualTo("it did not work");
        assertThat(run.note().errorCode()).isEqualTo("ValueError");
        assertThat(run.times().ends().completedMs()).isNotNull();
        assertThat(run.times().ends().durationMs()).isBetween(5_000L, 60_000L);
        assertThat(run.credits().charged()).isEqualByComparingTo("3");
        assertThat(run.credits().refunded()).isEqualByComparingTo("97");
        assertThat(fixture.ledger(id)).containsExactly("reserve 100", "charge 3", "refund 97");
        assertThat(fixture.complete(held, "{}"))
                .isInstanceOf(io.orchestrion.kernel.work.Ack.Refused.class);
    }

    ///
    @Test
    void failures_that_are_tolerated_or_tried_again_leave_every_count_right() {
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        mode("retry"),
                                        task("t", mode("retry"), step("a", ",\"max_attempts\":1")),
                                        task("u", mode("continue"), step("b"), step("c"))),
                                agent("two", mode("continue"), task("t", "", step("d"))),
                                agent("three", "", task("t", "", step("e")))),
                        FailureMode.CONTINUE);
        fixture.failed("a", "ConnectionError");
        fixture.failed("d", "ValueError");
        fixture.failed("e", "ValueError");
        fixture.later(Duration.ofSeconds(1));
        fixture.done("a");
        fixture.failed("b", "ValueError");
        fixture.done("c");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        assertThat(fixture.agents(id))
                .extracting(each -> each.status().word())
                .containsExactly("completed", "skipped", "skipped");
    }

    /// The counts are those of the newest attempt.
    @Test
    void another_attempt_begins_with_counts_of_its_own() {
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        "",
                                        task("t", "", step("a", ",\"max_attempts\":1")),
                                        task("u", "", step("b")))),
                        FailureMode.RETRY);
        fixture.failed("a", "ConnectionError");
        assertThat(fixture.run(id).counts().tasks()).isZero();
        fixture.later(Duration.ofSeconds(1));
        fixture.drive(id, RunStatus.RUNNING);
        assertThat(fixture.run(id).counts().tasks()).isEqualTo(2);
        assertThat(fixture.value("select count(*) from run_task")).isEqualTo("4");
        fixture.done("a");
        fixture.done("b");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }

    ///
    @Test
    void a_run_is_paused_goes_on_is_paused_and_cancelled() {
        UUID id =
                fixture.running(
                        plan(
                                agent("one", "", task("t", parallel(), step("a"), step("b"))),
                                agent("two", "", task("t", "", step("c"), step("d")))));
        fixture.done("c");
        WorkItem held = fixture.claim("a");
        fixture.pause(id);
        fixture.complete(held, "{}", "{\"tokens\":10}");
        fixture.resume(id);
        fixture.drive(id, RunStatus.RUNNING);
        fixture.claim("d");
        fixture.pause(id);
        fixture.cancel(id);
        assertThat(fixture.status(id)).isEqualTo(RunStatus.CANCELLED);
        assertThat(fixture.agents(id))
                .allSatisfy(each -> assertThat(each.status()).isEqualTo(AgentStatus.CANCELLED));
        assertThat(fixture.ledger(id))
                .containsExactly("reserve 100", "charge 0.02", "refund 99.98");
    }

    /// A planner, its plan, another plan, and what an agent plans itself.
    @Test
    void plans_that_are_made_on_the_way_leave_every_count_right() {
        UUID id = fixture.running((String) null, FailureMode.CONTINUE);
        String[] three =
                IntStream.range(0, 3)
                        .mapToObj(i -> agent("g" + i, "", task("t", "", step("s" + i))))
                        .toArray(String[]::new);
        fixture.done("run_plan", plan(three));
        fixture.failed("s0", "ValueError");
        fixture.failed("s1", "ValueError");
        fixture.done("run_plan", plan(agent("loop", "")));
        fixture.done(
                "agent_plan", "{\"tasks\":[" + task("u", "", step("x")) + "],\"continue\":true}");
        fixture.done("x");
        fixture.done("agent_plan", "{\"tasks\":[]}");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }

    ///
    @Test
    void a_run_whose_agents_were_all_skipped_is_over_like_any_other() {
        UUID id =
                fixture.running(
                        plan(
                                agent("one", "", task("t", "", step("a"))),
                                agent("two", "", task("t", "", step("b")))),
                        FailureMode.CONTINUE);
        fixture.failed("a", "ValueError");
        fixture.failed("b", "ValueError");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.SKIPPED);
    }

    /// Also what no worker has done ends with a failed agent.
    @Test
    void a_run_that_is_ended_by_a_clock_or_by_force_has_a_failed_agent() {
        UUID late = fixture.running(one(step("a")));
        fixture.test.clock().advance(Duration.ofSeconds(61));
        fixture.test.kernel().sweepOnce("run-heartbeat-monitor");
        assertThat(fixture.status(late)).isEqualTo(RunStatus.FAILED);
        UUID forced = fixture.running(one(step("b")));
        fixture.runs.inOne(tx -> fixture.runs.forceFail(tx, fixture.request(forced)));
        assertThat(fixture.status(forced)).isEqualTo(RunStatus.FAILED);
        UUID pending =
                fixture.create(fixture.asked(one(step("c")), FailureMode.FAIL_FAST, each -> each));
        fixture.start(pending);
        fixture.later(Duration.ofDays(1));
        assertThat(fixture.status(pending)).isEqualTo(RunStatus.FAILED);
    }
}
