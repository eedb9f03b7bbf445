package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.agent;
import static io.orchestrion.runs.engine.RunFixture.mode;
import static io.orchestrion.runs.engine.RunFixture.parallel;
import static io.orchestrion.runs.engine.RunFixture.plan;
import static io.orchestrion.runs.engine.RunFixture.step;
import static io.orchestrion.runs.engine.RunFixture.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.Ack.Applied;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.Decision;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.runs.state.TaskStatus;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.util.UUID;
import java.util.stream.IntStream;

/// What a run does when much of its plan has failed, and when people end a part of it.
class ReplanTest {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final RunFixture fixture = new RunFixture();

    @BeforeEach
    void watch() {
        CommitWatch.over(fixture.test.database());
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String five() {
        return plan(
                IntStream.range(0, 5)
                        .mapToObj(i -> agent("g" + i, "", task("t", "", step("s" + i))))
                        .toArray(String[]::new));
    }

    /// The planner is told what was tried, what failed and why, and what is done
    /// already. What was done stays, what was under way is taken back.
    @Test
    void the_planner_is_given_what_happened() {
        UUID id = fixture.running((String) null, FailureMode.CONTINUE);
        fixture.done("run_plan", five());
        fixture.done("s0", "{\"found\":1}");
        for (int i = 1; i <= 3; i++) {
            fixture.failed("s" + i, "ValueError");
        }
        WorkItem old = fixture.claim("s4");
        WorkView planning = fixture.view("run_plan");
        JsonNode input = JSON.readTree(RunFixture.payload(planning)).get("input");
        assertThat(input.get("task").asString()).isEqualTo("do it");
        assertThat(input.get("max_agents").asInt()).isEqualTo(10);
        assertThat(input.get("replan_count").asInt()).isZero();
        assertThat(input.get("previous_decomposition")).isEqualTo(JSON.readTree(five()));
        JsonNode failed = input.at("/failure_analysis/failed_agents");
        assertThat(failed.size()).isEqualTo(3);
        for (int i = 0; i < 3; i++) {
            assertThat(failed.get(i).get("subtask").asString()).isEqualTo("g" + (i + 1));
            assertThat(failed.get(i).get("error_code").asString()).isEqualTo("ValueError");
            assertThat(failed.get(i).get("error").asString()).isEqualTo("it did not work");
        }
        assertThat(input.at("/completed_agents/0/subtask").asString()).isEqualTo("g0");

        fixture.complete(planning.item(), plan(agent("new", "", task("t", "", step("n")))));
        assertThat(fixture.complete(old, "{}")).isNotInstanceOf(Applied.class);
        assertThat(fixture.agents(id))
                .filteredOn(each -> each.spec().subtask().startsWith("g"))
                .extracting(each -> each.status())
                .containsExactly(
                        AgentStatus.COMPLETED,
                        AgentStatus.SKIPPED,
                        AgentStatus.SKIPPED,
                        AgentStatus.SKIPPED,
                        AgentStatus.CANCELLED);
        assertThat(fixture.step(id, "s0").output().json()).isEqualTo("{\"found\":1}");
        fixture.done("n");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }

    /// the plan before stays in force, and the run goes on with it.
    @Test
    void another_plan_that_is_none_leaves_the_run_as_it_is() {
        UUID id = fixture.running((String) null, FailureMode.CONTINUE);
        fixture.done("run_plan", five());
        for (int i = 0; i < 3; i++) {
            fixture.failed("s" + i, "ValueError");
        }
        assertThat(fixture.complete(fixture.claim("run_plan"), "{\"agents\":[{}]}"))
                .isNotInstanceOf(Applied.class);
        Run run = fixture.run(id);
        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
        assertThat(run.progress().planVersion()).isEqualTo(1);
        assertThat(run.progress().replans()).isZero();
        fixture.done("s3");
        fixture.done("s4");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }

    /// Eleven tasks that an agent tolerates, which is more than a plan may lose.
    private UUID elevenLost(FailureMode mode, String code) {
        String[] tasks =
                IntStream.range(0, 12)
                        .mapToObj(i -> task("t" + i, "", step("x", ",\"max_attempts\":1")))
                        .toArray(String[]::new);
        UUID id = fixture.running(plan(agent("one", mode("continue"), tasks)), mode);
        for (int i = 0; i < 10; i++) {
            fixture.failed("x", code);
        }
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RUNNING);
        fixture.failed("x", code);
        return id;
    }

    /// CB-064: a plan that came with the run is never replaced. The run's mode says
    /// what follows.
    @Test
    void without_a_way_to_another_plan_the_mode_decides() {
        UUID fast = elevenLost(FailureMode.FAIL_FAST, "ValueError");
        assertThat(fixture.status(fast)).isEqualTo(RunStatus.FAILED);
        assertThat(fixture.decisions(fast))
                .extracting(each -> each.kind())
                .contains(Decision.Kind.GO_ON, Decision.Kind.ABORT);

        UUID patient = elevenLost(FailureMode.CONTINUE, "ValueError");
        assertThat(fixture.status(patient)).isEqualTo(RunStatus.RUNNING);
        fixture.done("x");
        assertThat(fixture.status(patient)).isEqualTo(RunStatus.COMPLETED);

        UUID again = elevenLost(FailureMode.RETRY, "ConnectionError");
        assertThat(fixture.status(again)).isEqualTo(RunStatus.RETRYING);
        assertThat(fixture.run(again).attempt()).isEqualTo(2);
        // Its items are not to be taken for those of the next run.
        fixture.runs.inOne(tx -> fixture.runs.forceFail(tx, fixture.request(again)));
        UUID hopeless = elevenLost(FailureMode.RETRY, "ValueError");
        assertThat(fixture.status(hopeless)).isEqualTo(RunStatus.FAILED);
        for (UUID id : new UUID[] {fast, patient, again, hopeless}) {
            assertThat(fixture.run(id).progress().replanner()).isNull();
        }
    }

    /// What fails while the run is paused gets it no other plan before it runs again.
    @Test
    void another_plan_is_made_only_while_the_run_is_running() {
        UUID id = fixture.running((String) null, FailureMode.CONTINUE);
        fixture.done("run_plan", five());
        fixture.failed("s0", "ValueError");
        fixture.failed("s1", "ValueError");
        WorkItem held = fixture.claim("s2");
        fixture.pause(id);
        fixture.fail(held, "ValueError");
        fixture.later(Duration.ofMinutes(1));
        assertThat(fixture.run(id).progress().replanner()).isNull();
        assertThat(fixture.value("select count(*) from item where kind = 'run_plan'"))
                .isEqualTo("1");
        fixture.resume(id);
        fixture.drive(id, RunStatus.RUNNING);
        assertThat(fixture.run(id).progress().replanner()).isNotNull();
        assertThat(fixture.claim("run_plan", 5)).hasSize(1);
    }

    private Ack cancelTask(UUID run, int place) {
        UUID task = fixture.tasks(fixture.agents(run).getFirst()).get(place).id();
        return fixture.runs.inOne(tx -> fixture.runs.cancelTask(tx, fixture.request(run), task));
    }

    private Ack cancelAgent(UUID run, int place) {
        UUID agent = fixture.agents(run).get(place).id();
        return fixture.runs.inOne(tx -> fixture.runs.cancelAgent(tx, fixture.request(run), agent));
    }

    /// in a run that fails fast a cancelled part fails it, once and for all.
    @Test
    void a_part_that_people_cancel_counts_as_one_that_cannot_succeed() {
        String plan =
                plan(
                        agent(
                                "one",
                                parallel(),
                                task("t", "", step("a")),
                                task("u", mode("retry"), step("b"))),
                        agent("two", "", task("v", "", step("c"))));
        for (FailureMode mode : new FailureMode[] {FailureMode.FAIL_FAST, FailureMode.RETRY}) {
            UUID byTask = fixture.running(plan, mode);
            WorkItem held = fixture.claim("b");
            assertThat(cancelTask(byTask, 1)).isInstanceOf(Ack.Done.class);
            assertThat(fixture.status(byTask)).as(mode.word()).isEqualTo(RunStatus.FAILED);
            assertThat(fixture.tasks(fixture.agents(byTask).getFirst()).get(1).status())
                    .isEqualTo(TaskStatus.CANCELLED);
            assertThat(fixture.complete(held, "{}")).isNotInstanceOf(Applied.class);
            assertThat(cancelTask(byTask, 1)).isInstanceOf(Ack.WrongStatus.class);

            UUID byAgent = fixture.running(plan, mode);
            assertThat(cancelAgent(byAgent, 1)).isInstanceOf(Ack.Done.class);
            assertThat(fixture.status(byAgent)).as(mode.word()).isEqualTo(RunStatus.FAILED);

            UUID last = fixture.running(plan, mode);
            fixture.done("a");
            fixture.done("b");
            assertThat(cancelAgent(last, 1)).isInstanceOf(Ack.Done.class);
            assertThat(fixture.status(last)).as(mode.word()).isEqualTo(RunStatus.FAILED);
            assertThat(fixture.ledger(last))
                    .containsExactly("reserve 100", "charge 0.02", "refund 99.98");
        }
    }

    /// more text than the model takes ends the agent, and is not tried again.
    @Test
    void a_context_that_is_too_long_ends_the_agent() {
        UUID id =
                fixture.running(
                        plan(
                                agent("one", mode("retry"), task("t", mode("retry"), step("a"))),
                                agent("two", "", task("t", "", step("b")))),
                        FailureMode.CONTINUE);
        fixture.failed("a", "ContextWindowExceededError");
        assertThat(fixture.agents(id).getFirst().status()).isEqualTo(AgentStatus.SKIPPED);
        assertThat(fixture.agents(id).getFirst().progress().attempt()).isEqualTo(1);
        assertThat(fixture.attempts(fixture.step(id, "a"))).hasSize(1);
        fixture.done("b");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }
}
