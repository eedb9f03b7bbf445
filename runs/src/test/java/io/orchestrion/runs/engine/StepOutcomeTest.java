package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.after;
import static io.orchestrion.runs.engine.RunFixture.agent;
import static io.orchestrion.runs.engine.RunFixture.dag;
import static io.orchestrion.runs.engine.RunFixture.mode;
import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.parallel;
import static io.orchestrion.runs.engine.RunFixture.plan;
import static io.orchestrion.runs.engine.RunFixture.step;
import static io.orchestrion.runs.engine.RunFixture.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.runs.state.StepStatus;
import io.orchestrion.runs.state.TaskStatus;
import io.orchestrion.runs.tree.Step;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/// What steps give and how they fail, and how far a failure goes.
class StepOutcomeTest {
    private static final String SCHEMA =
            ",\"output_schema\":{\"type\":\"object\",\"required\":[\"rows\"],\"properties\":"
                    + "{\"rows\":{\"type\":\"integer\"}}}";

    private final RunFixture fixture = new RunFixture();

    @BeforeEach
    void watch() {
        CommitWatch.over(fixture.test.database());
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    ///
    @Test
    void a_completed_step_has_the_output_that_its_worker_gave() {
        UUID id = fixture.running(one(step("a", SCHEMA), step("b")));
        assertThat(fixture.step(id, "a").output()).isNull();
        fixture.done("a", "{\"rows\":7}");
        Step step = fixture.step(id, "a");
        assertThat(step.status()).isEqualTo(StepStatus.COMPLETED);
        assertThat(Objects.requireNonNull(step.output()).json()).isEqualTo("{\"rows\":7}");
        assertThat(step.times().endedMs()).isNotNull();
    }

    /// CB-107: refused, never stored as output, and not tried again.
    @Test
    void an_output_that_its_schema_refuses_fails_the_step() {
        for (String output : List.of("{\"rows\":\"seven\"}", "{}", "[1]", "null")) {
            UUID id = fixture.running(one(step("a", SCHEMA), step("b")));
            WorkItem held = fixture.claim("a");
            assertThat(fixture.complete(held, output, "{\"tokens\":1000}"))
                    .as(output)
                    .isInstanceOfSatisfying(
                            Ack.Refused.class,
                            it ->
                                    assertThat(it.refusal())
                                            .isInstanceOfSatisfying(
                                                    Refusal.Rejected.class,
                                                    no ->
                                                            assertThat(no.error().code())
                                                                    .isEqualTo(
                                                                            "InvalidOutputError")));
            Step step = fixture.step(id, "a");
            assertThat(step.status()).isEqualTo(StepStatus.FAILED);
            assertThat(step.output()).isNull();
            assertThat(fixture.attempts(step))
                    .singleElement()
                    .satisfies(
                            each ->
                                    assertThat(each.ended().errorCode())
                                            .isEqualTo("InvalidOutputError"));
            assertThat(fixture.run(id).note().errorCode()).isEqualTo("InvalidOutputError");
            assertThat(fixture.status(id)).isEqualTo(RunStatus.FAILED);
        }
        assertThat(fixture.value("select count(*) from run_step where output is not null"))
                .isEqualTo("0");
    }

    ///
    @Test
    void a_worker_without_memory_is_no_reason_to_give_up() {
        UUID id = fixture.running(one(step("a")));
        fixture.failed("a", "MemoryError");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RUNNING);
        fixture.later(Duration.ofSeconds(1));
        fixture.done("a");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        assertThat(fixture.attempts(fixture.step(id, "a"))).hasSize(2);
    }

    /// R-040, CB-047: the run goes on while its agent begins anew.
    @Test
    void an_agent_that_retries_leaves_its_run_running() {
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        mode("retry"),
                                        task("t", "", step("a", ",\"max_attempts\":1")))));
        fixture.failed("a", "ConnectionError");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RUNNING);
        assertThat(fixture.agents(id))
                .singleElement()
                .satisfies(
                        each -> {
                            assertThat(each.status()).isEqualTo(AgentStatus.PENDING);
                            assertThat(each.progress().attempt()).isEqualTo(2);
                        });
        assertThat(fixture.transitions(id)).endsWith("pending -> running");
        fixture.later(Duration.ofSeconds(1));
        fixture.done("a");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }

    /// the fourth time does not come, and a failure that cannot get better is not
    /// tried a second time.
    @Test
    void an_agent_that_retries_is_tried_three_times() {
        String plan =
                plan(agent("one", mode("retry"), task("t", "", step("a", ",\"max_attempts\":1"))));
        UUID id = fixture.running(plan);
        for (int i = 1; i <= 3; i++) {
            assertThat(fixture.status(id)).isEqualTo(RunStatus.RUNNING);
            fixture.later(Duration.ofSeconds(1));
            fixture.failed("a", "ConnectionError");
        }
        assertThat(fixture.status(id)).isEqualTo(RunStatus.FAILED);
        assertThat(fixture.attempts(fixture.step(id, "a"))).hasSize(3);
        UUID wrong = fixture.running(plan);
        fixture.failed("a", "ValueError");
        assertThat(fixture.status(wrong)).isEqualTo(RunStatus.FAILED);
        assertThat(fixture.agents(wrong).getFirst().progress().attempt()).isEqualTo(1);
    }

    /// the delays of tasks and agents double as those of steps do.
    @Test
    void tasks_and_agents_wait_before_they_begin_anew() {
        for (String level : List.of("task", "agent")) {
            boolean task = level.equals("task");
            UUID id =
                    fixture.running(
                            plan(
                                    agent(
                                            "one",
                                            task ? "" : mode("retry"),
                                            task(
                                                    "t",
                                                    task ? mode("retry") : "",
                                                    step("a", ",\"max_attempts\":1")))));
            fixture.failed("a", "ConnectionError");
            fixture.later(Duration.ofSeconds(1));
            fixture.failed("a", "ConnectionError");
            var attempts = fixture.attempts(fixture.step(id, "a"));
            assertThat(attempts.get(1).times().notBeforeMs() - attempts.get(0).times().endedMs())
                    .as(level)
                    .isBetween(90L, 110L);
            assertThat(attempts.get(2).times().notBeforeMs() - attempts.get(1).times().endedMs())
                    .as(level)
                    .isBetween(180L, 220L);
            fixture.cancel(id);
        }
    }

    /// R-228, CB-070: also what depends on what was skipped, and nothing else.
    @Test
    void what_depends_on_a_skipped_task_is_skipped_with_the_reason() {
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        mode("continue") + dag(),
                                        task("a", "", step("a")),
                                        task("b", "", step("b")),
                                        task("c", after("a", "b"), step("c")),
                                        task("d", after("c"), step("d")),
                                        task("e", after("b"), step("e")))));
        fixture.failed("a", "ValueError");
        fixture.done("b");
        assertThat(fixture.claim("c", 1)).isEmpty();
        assertThat(fixture.claim("d", 1)).isEmpty();
        fixture.done("e");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        var tasks = fixture.tasks(fixture.agents(id).getFirst());
        assertThat(tasks)
                .extracting(each -> each.status())
                .containsExactly(
                        TaskStatus.SKIPPED,
                        TaskStatus.COMPLETED,
                        TaskStatus.SKIPPED,
                        TaskStatus.SKIPPED,
                        TaskStatus.COMPLETED);
        assertThat(tasks)
                .extracting(each -> each.fault().skipReason())
                .containsExactly("tolerated", null, "dependency_failed", "dependency_failed", null);
    }

    private JsonNode outputs(String tool) {
        return JsonMapper.shared().readTree(RunFixture.payload(fixture.view(tool))).get("outputs");
    }

    /// of two agents with the same names, each is given its own outputs only.
    @Test
    void agents_see_nothing_of_each_other() {
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        "",
                                        task("t", "", step("a")),
                                        task("u", "", step("b"))),
                                agent(
                                        "two",
                                        "",
                                        task("t", "", step("c")),
                                        task("u", "", step("d"))),
                                agent(
                                        "three",
                                        dag(),
                                        task("t", "", step("e")),
                                        task("u", after("t"), step("f")),
                                        task("v", "", step("g")))));
        fixture.done("a", "{\"of\":\"one\"}");
        fixture.done("c", "{\"of\":\"two\"}");
        fixture.done("e", "{\"of\":\"three\"}");
        assertThat(outputs("b").toString()).isEqualTo("{\"t.a\":{\"of\":\"one\"}}");
        assertThat(outputs("d").toString()).isEqualTo("{\"t.c\":{\"of\":\"two\"}}");
        assertThat(outputs("f").toString()).isEqualTo("{\"t.e\":{\"of\":\"three\"}}");
        assertThat(outputs("g").toString()).isEqualTo("{}");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RUNNING);
    }

    /// CB-057: at the level where the attempts are used up. People are called where
    /// that ends the run.
    @Test
    void used_up_attempts_call_people_only_where_they_end_the_run() {
        UUID tolerated =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        "",
                                        task(
                                                "t",
                                                mode("continue") + parallel(),
                                                step("a"),
                                                step("b")))),
                        FailureMode.FAIL_FAST);
        fixture.done("b");
        fixture.failedForGood("a");
        assertThat(fixture.status(tolerated)).isEqualTo(RunStatus.COMPLETED);
        assertThat(fixture.value("select count(*) from run_ticket")).isEqualTo("0");
        UUID ended = fixture.running(one(step("c")));
        fixture.failedForGood("c");
        assertThat(fixture.status(ended)).isEqualTo(RunStatus.FAILED);
        assertThat(
                        fixture.value(
                                "select trigger || ' ' || holds || ' ' || severity from"
                                        + " run_ticket"))
                .isEqualTo("max_attempts false high");
        assertThat(fixture.run(ended).note().escalated()).isTrue();
    }
}
