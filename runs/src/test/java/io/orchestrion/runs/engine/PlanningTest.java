package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.agent;
import static io.orchestrion.runs.engine.RunFixture.mode;
import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.plan;
import static io.orchestrion.runs.engine.RunFixture.step;
import static io.orchestrion.runs.engine.RunFixture.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.Ack.Applied;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.PlanVersion;
import io.orchestrion.runs.run.RecordSql;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.RunStatus;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/// Where plans come from.
class PlanningTest {
    private final RunFixture fixture = new RunFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private List<PlanVersion> plans(UUID id) {
        return fixture.runs.inOne(tx -> RecordSql.plans(tx, fixture.account, id));
    }

    /// R-329, CB-066, R-034.
    @Test
    void a_worker_plans_the_run() {
        UUID id = fixture.running((String) null, FailureMode.FAIL_FAST);
        assertThat(fixture.run(id).counts().agents()).isEqualTo(1);
        var planning = fixture.view("run_plan");
        assertThat(RunFixture.payload(planning))
                .contains("\"task\":\"do it\"", "\"max_agents\":10");
        fixture.complete(planning.item(), one(step("a")), "{\"tokens\":500}");
        Run run = fixture.run(id);
        assertThat(run.counts().agents()).isEqualTo(2);
        assertThat(run.progress().planVersion()).isEqualTo(1);
        fixture.done("a");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        assertThat(fixture.tree(id))
                .startsWith(
                        "plan the run completed",
                        "- plan completed",
                        "-- plan completed",
                        "all completed");
        assertThat(plans(id))
                .singleElement()
                .satisfies(each -> assertThat(each.source()).isEqualTo(PlanVersion.Source.WORKER));
        assertThat(fixture.run(id).credits().charged()).isEqualByComparingTo("0.51");
    }

    ///
    @Test
    void a_plan_that_is_none_is_refused_and_fails_the_planning() {
        UUID id = fixture.running((String) null, FailureMode.FAIL_FAST);
        WorkItem planning = fixture.claim("run_plan");
        assertThat(fixture.complete(planning, "{\"agents\":[]}")).isNotInstanceOf(Applied.class);
        assertThat(fixture.status(id)).isEqualTo(RunStatus.FAILED);
        assertThat(fixture.run(id).note().errorCode()).isEqualTo("InvalidOutputError");
        assertThat(plans(id)).isEmpty();
    }

    @Test
    void somebody_hands_the_plan_in() {
        UUID id = fixture.running((String) null, FailureMode.FAIL_FAST);
        WorkItem planning = fixture.claim("run_plan");
        assertThat(fixture.runs.refusedPlan(fixture.request(id), "{}"))
                .isInstanceOf(Ack.BadPlan.class);
        Ack ack =
                fixture.runs.inOne(
                        tx -> fixture.runs.planByHand(tx, fixture.request(id), one(step("a"))));
        assertThat(ack).isInstanceOf(Ack.Done.class);
        assertThat(fixture.complete(planning, one(step("b")))).isNotInstanceOf(Applied.class);
        Ack again =
                fixture.runs.inOne(
                        tx -> fixture.runs.planByHand(tx, fixture.request(id), one(step("a"))));
        assertThat(again).isInstanceOf(Ack.WrongStatus.class);
        fixture.done("a");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        assertThat(fixture.run(id).progress().inFlight()).isZero();
        assertThat(fixture.run(id).credits().held()).isZero();
    }

    /// Rounds that nobody plans are rounds, too: no agent asks for a plan for ever.
    @Test
    void an_agent_that_goes_on_without_its_plans_asks_for_no_more_than_its_rounds() {
        UUID id =
                fixture.running(
                        "{\"agents\":[{\"subtask\":\"loop\",\"failure_mode\":\"continue\"}]}",
                        FailureMode.CONTINUE);
        int rounds = fixture.options.attempts().rounds();
        for (int i = 0; i < rounds; i++) {
            fixture.failed("agent_plan", "ValueError");
        }
        assertThat(fixture.claim("agent_plan", 1)).isEmpty();
        assertThat(fixture.status(id)).isEqualTo(RunStatus.SKIPPED);
        assertThat(fixture.agents(id).getFirst().progress().rounds()).isEqualTo(rounds);
    }

    /// An agent without tasks plans for itself, round by round.
    @Test
    void an_agent_plans_its_tasks_round_by_round() {
        UUID id = fixture.running(plan(agent("loop", "")));
        var first = fixture.view("agent_plan");
        assertThat(RunFixture.payload(first)).contains("\"round\":1", "\"subtask\":\"loop\"");
        assertThat(fixture.value("select queue from run_items where kind = 'agent_plan'"))
                .isEqualTo("agents.work");
        fixture.complete(
                first.item(), "{\"tasks\":[" + task("t", "", step("a")) + "],\"continue\":true}");
        fixture.done("a", "{\"found\":7}");
        var second = fixture.view("agent_plan");
        assertThat(RunFixture.payload(second)).contains("\"round\":2", "\"t.a\":{\"found\":7}");
        fixture.complete(second.item(), "{\"tasks\":[" + task("u", "", step("b")) + "]}");
        fixture.done("b");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        Run run = fixture.run(id);
        assertThat(run.counts().tasks()).isEqualTo(4);
        assertThat(fixture.agents(id).getFirst().progress().tasks()).isEqualTo(4);
    }

    @Test
    void an_agent_that_retries_plans_anew() {
        UUID id = fixture.running(plan(agent("loop", mode("retry"))));
        fixture.done(
                "agent_plan",
                "{\"tasks\":[" + task("t", "", step("a", ",\"max_attempts\":1")) + "]}");
        fixture.failed("a", "ConnectionError");
        fixture.later(java.time.Duration.ofSeconds(1));
        fixture.done("agent_plan", "{\"tasks\":[" + task("t", "", step("b")) + "]}");
        fixture.done("b");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }

    private static String four(String more) {
        return plan(
                IntStream.range(0, 4)
                        .mapToObj(i -> agent("g" + i, more, task("t", "", step("s" + i))))
                        .toArray(String[]::new));
    }

    ///
    @Test
    void more_than_half_of_the_agents_failed_gets_another_plan() {
        UUID id = fixture.running((String) null, FailureMode.CONTINUE);
        fixture.done("run_plan", four(""));
        fixture.failed("s0", "ValueError");
        fixture.failed("s1", "ValueError");
        assertThat(fixture.run(id).progress().replanner()).isNull();
        fixture.failed("s2", "ValueError");
        assertThat(fixture.run(id).progress().replanner()).isNotNull();
        var planning = fixture.view("run_plan");
        assertThat(RunFixture.payload(planning))
                .contains(
                        "previous_decomposition",
                        "failure_analysis",
                        "ValueError",
                        "\"trigger\":\"agents_failed\"");
        fixture.complete(planning.item(), plan(agent("new", "", task("t", "", step("n")))));
        Run run = fixture.run(id);
        assertThat(run.progress().planVersion()).isEqualTo(2);
        assertThat(run.progress().replans()).isEqualTo(1);
        assertThat(run.counts().agents()).isEqualTo(7);
        assertThat(fixture.claim("s3", 1)).isEmpty();
        assertThat(fixture.tree(id)).contains("g3 cancelled", "new pending");
        assertThat(fixture.agents(id).stream().filter(each -> each.progress().superseded()))
                .hasSize(1);
        fixture.done("n");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        assertThat(plans(id)).hasSize(2);
        assertThat(plans(id).getLast().failureAnalysis()).contains("failed_agents");
    }

    ///
    @Test
    void a_run_that_fails_fast_is_not_planned_anew() {
        UUID id = fixture.running((String) null, FailureMode.FAIL_FAST);
        fixture.done("run_plan", four(""));
        fixture.failed("s0", "ValueError");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.FAILED);
    }

    /// CB-061: the eleventh failed task, in every mode.
    @Test
    void the_eleventh_failed_task_gets_another_plan() {
        UUID id = fixture.running((String) null, FailureMode.FAIL_FAST);
        String[] tasks =
                IntStream.range(0, 13)
                        .mapToObj(i -> task("t" + i, "", step("x")))
                        .toArray(String[]::new);
        fixture.done("run_plan", plan(agent("one", mode("continue"), tasks)));
        for (int i = 0; i < 10; i++) {
            fixture.failed("x", "ValueError");
        }
        assertThat(fixture.run(id).progress().replanner()).isNull();
        fixture.failed("x", "ValueError");
        assertThat(fixture.run(id).progress().replanner()).isNotNull();
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RUNNING);
    }

    ///
    @Test
    void a_run_is_planned_anew_three_times_at_the_most() {
        UUID id = fixture.running((String) null, FailureMode.CONTINUE);
        for (int i = 0; i < 4; i++) {
            fixture.done("run_plan", plan(agent("only", "", task("t", "", step("x")))));
            fixture.failed("x", "ValueError");
        }
        assertThat(fixture.status(id)).isEqualTo(RunStatus.SKIPPED);
        assertThat(fixture.run(id).progress().replans()).isEqualTo(3);
    }

    /// Skipped tasks count as failed ones, so that the whole plan has failed.
    @Test
    void a_run_that_ends_for_an_agent_without_a_completed_task_failed_at_that_agent() {
        UUID id =
                fixture.running(
                        plan(agent("only", "", task("t", mode("continue"), step("a")))),
                        FailureMode.FAIL_FAST);
        fixture.failed("a", "ValueError");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.FAILED);
        assertThat(fixture.tree(id)).containsExactly("only failed", "- t skipped", "-- a skipped");
    }

    /// R-303, CB-062. What is done again has not failed.
    @Test
    void a_task_that_is_done_again_with_its_agent_does_not_count_for_another_plan() {
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "a",
                                        mode("retry"),
                                        task("t", "", step("x", ",\"max_attempts\":1")))),
                        FailureMode.CONTINUE);
        fixture.failed("x", "ConnectionError");
        assertThat(fixture.run(id).counts().plan().lostTasks()).isZero();
        for (int i = 0; i < 2; i++) {
            fixture.later(java.time.Duration.ofSeconds(1));
            fixture.failed("x", "ConnectionError");
        }
        assertThat(fixture.run(id).counts().plan().lostTasks()).isEqualTo(1);
    }

    /// A planner that fails leaves the run to its mode.
    @Test
    void a_run_goes_on_with_the_old_plan_where_nobody_plans_anew() {
        UUID id = fixture.running((String) null, FailureMode.CONTINUE);
        fixture.done("run_plan", four(""));
        fixture.failed("s0", "ValueError");
        fixture.failed("s1", "ValueError");
        fixture.failed("s2", "ValueError");
        fixture.failed("run_plan", "ValueError");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RUNNING);
        assertThat(fixture.run(id).progress().replanner()).isNull();
        fixture.done("s3");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }
}
