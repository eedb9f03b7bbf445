package io.orchestrion.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.sdk.plan.FailureMode;
import io.orchestrion.sdk.plan.NextTasks;
import io.orchestrion.sdk.plan.ParallelismMode;
import io.orchestrion.sdk.plan.Plan;
import io.orchestrion.sdk.plan.PlannedAgent;
import io.orchestrion.sdk.plan.PlannedStep;
import io.orchestrion.sdk.plan.PlannedTask;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/// The JSON that the builders of plans and runs write.
class PlanBuilderTest {
    @Test
    void a_plan_with_everything_is_written_as_the_server_reads_it() {
        PlannedStep step =
                PlannedStep.named("fetch", "fetch-page")
                        .input("{\"depth\":1.50}")
                        .timeout(Duration.ofSeconds(20))
                        .maxAttempts(5)
                        .maxTokens(2_000)
                        .outputSchema("{\"type\":\"object\"}")
                        .after("look");
        PlannedTask task =
                PlannedTask.named("read")
                        .onFailure(FailureMode.RETRY)
                        .inMode(ParallelismMode.DAG)
                        .after("prepare")
                        .step(step);
        Plan plan =
                Plan.of(
                        PlannedAgent.forSubtask("Read")
                                .onFailure(FailureMode.FAIL_FAST)
                                .inMode(ParallelismMode.PARALLEL)
                                .task(task));
        assertThat(plan.json())
                .isEqualTo(
                        "{\"agents\":[{\"subtask\":\"Read\",\"failure_mode\":\"fail-fast\","
                                + "\"parallelism_mode\":\"parallel\",\"tasks\":[{"
                                + "\"name\":\"read\",\"steps\":[{\"name\":\"fetch\","
                                + "\"tool\":\"fetch-page\",\"input\":{\"depth\":1.50},"
                                + "\"timeout_ms\":20000,\"max_attempts\":5,"
                                + "\"max_tokens\":2000,\"output_schema\":{\"type\":\"object\"},"
                                + "\"dependencies\":[\"look\"]}],\"failure_mode\":\"retry\","
                                + "\"parallelism_mode\":\"dag\","
                                + "\"dependencies\":[\"prepare\"]}]}]}");
    }

    @Test
    void a_part_that_is_changed_after_it_was_added_is_not_changed_in_the_plan() {
        PlannedStep step = PlannedStep.named("a", "t");
        PlannedTask task = PlannedTask.named("x").step(step);
        Plan plan = Plan.of(PlannedAgent.forSubtask("s").task(task));
        String before = plan.json();
        step.maxAttempts(7);
        task.after("other");
        assertThat(plan.json()).isEqualTo(before).doesNotContain("max_attempts", "other");
    }

    @Test
    void what_an_agent_does_next_says_whether_it_plans_again() {
        PlannedTask task = PlannedTask.named("x").step(PlannedStep.named("a", "t"));
        String tasks = "[{\"name\":\"x\",\"steps\":[{\"name\":\"a\",\"tool\":\"t\"}]}]";
        assertThat(NextTasks.last(task).json()).isEqualTo("{\"tasks\":" + tasks + "}");
        assertThat(NextTasks.thenAgain(task).json())
                .isEqualTo("{\"tasks\":" + tasks + ",\"continue\":true}");
        assertThat(NextTasks.DONE.json()).isEqualTo("{\"tasks\":[]}");
        assertThatThrownBy(NextTasks::thenAgain).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(Plan::of).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_run_with_everything_is_written_as_the_server_reads_it() {
        NewRun run =
                NewRun.of("Research", "Find out")
                        .plan(Plan.of(PlannedAgent.forSubtask("s")))
                        .maxTokens(5)
                        .maxAgents(4)
                        .maxAttempts(3)
                        .maxReplans(2)
                        .onFailure(FailureMode.CONTINUE)
                        .highPriority()
                        .toolPolicy("mail", ToolPolicy.CONFIRM)
                        .toolPolicy("shell", ToolPolicy.BLOCK)
                        .atOnce(2, 1)
                        .timeout("step_ms", Duration.ofSeconds(1))
                        .context("{\"n\":1.50}")
                        .withKey("k")
                        .build();
        assertThat(run.idempotencyKey()).isEqualTo("k");
        assertThat(run.json())
                .isEqualTo(
                        "{\"name\":\"Research\",\"task\":\"Find out\",\"plan\":{\"agents\":["
                                + "{\"subtask\":\"s\"}]},\"planner\":{\"mode\":\"static\"},"
                                + "\"max_tokens\":5,\"max_agents\":4,\"max_attempts\":3,"
                                + "\"max_replans\":2,\"failure_mode\":\"continue\","
                                + "\"priority\":\"high\",\"tool_policies\":{"
                                + "\"mail\":\"confirm\",\"shell\":\"block\"},\"limits\":{"
                                + "\"max_concurrent_tasks\":2,\"max_concurrent_steps\":1},"
                                + "\"timeouts\":{\"step_ms\":1000},\"context\":{\"n\":1.50}}");
        assertThat(NewRun.ofJson("{\"name\":\"n\",\"new_field\":1}").maxAgents(2).build().json())
                .isEqualTo("{\"name\":\"n\",\"new_field\":1,\"max_agents\":2}");
        assertThatThrownBy(() -> NewRun.ofJson("[]")).hasMessage("run must be a JSON object");
    }
}
