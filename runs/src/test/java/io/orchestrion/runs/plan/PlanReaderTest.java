package io.orchestrion.runs.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What a plan says, and plans that were made to do harm.
class PlanReaderTest {
    /// what is not said has its default.
    @Test
    void a_plan_is_read_with_its_defaults() {
        Plan plan = Plans.read(Plans.USUAL).plan();

        assertThat(plan.agents()).hasSize(2);
        assertThat(plan.taskCount()).isEqualTo(2);
        assertThat(plan.stepCount()).isEqualTo(4);
        AgentPlan find = plan.agents().getFirst();
        assertThat(find.failureMode()).isEqualTo(FailureMode.CONTINUE);
        assertThat(find.parallelism()).isEqualTo(ParallelismMode.DAG);
        assertThat(find.tasks().getFirst().steps().getFirst())
                .isEqualTo(
                        new StepPlan(
                                "web",
                                "web_search",
                                "{\"query\":\"q\",\"most\":10.50}",
                                60_000L,
                                5,
                                2_000L,
                                "{\"type\":\"object\",\"required\":[\"hits\"]}",
                                java.util.List.of()));
        TaskPlan read = find.tasks().getLast();
        assertThat(read.dependencies()).containsExactly("search");
        assertThat(read.failureMode()).isEqualTo(FailureMode.FAIL_FAST);
        assertThat(read.parallelism()).isEqualTo(ParallelismMode.SEQUENTIAL);
        assertThat(read.steps().getFirst().input()).isEqualTo("{}");
        assertThat(plan.agents().getLast().tasks()).isEmpty();
        assertThat(PlanReader.stored(Plans.USUAL, PlanLimits.USUAL)).isEqualTo(plan);
    }

    /// a run may allow fewer agents than the server.
    @Test
    void the_run_bounds_the_agents() {
        ReadPlan read =
                Plans.READER.read(Plans.ACCOUNT, Plans.USUAL, PlanLimits.USUAL.withAgents(1));

        assertThat(Plans.found(read.findings())).containsExactly("out_of_bounds /agents");
    }

    ///
    @Test
    void a_cycle_is_named() {
        ReadPlan read =
                Plans.read(
                        Plans.with(
                                "/agents/0/tasks/0/steps/0/dependencies",
                                "[\"news\"]",
                                "/agents/0/tasks/0/steps/1/dependencies",
                                "[\"merge\"]"));

        assertThat(read.findings().getFirst().message())
                .isEqualTo(
                        "They wait for each other in a circle:"
                                + " \"web\" → \"news\" → \"merge\" → \"web\".");
    }

    @Test
    void all_that_is_wrong_is_found_at_once() {
        ReadPlan read =
                Plans.read(
                        Plans.with(
                                "/agents/0/failure_mode",
                                "1",
                                "/agents/0/tasks/0/steps/0/tool",
                                "\"a b\"",
                                "/agents/0/tasks/1/dependencies",
                                "[\"none\"]",
                                "/agents/1/subtask",
                                "-"));

        assertThat(Plans.found(read.findings()))
                .containsExactlyInAnyOrder(
                        "wrong_type /agents/0/failure_mode",
                        "invalid_value /agents/0/tasks/0/steps/0/tool",
                        "unknown_dependency /agents/0/tasks/1/dependencies/0",
                        "missing_field /agents/1/subtask");
    }

    @Test
    void what_is_no_plan_at_all_is_found() {
        assertThat(Plans.found(Plans.read("").findings())).containsExactly("invalid_json ");
        assertThat(Plans.found(Plans.read("[]").findings())).containsExactly("invalid_json ");
        assertThat(Plans.found(Plans.read("[".repeat(10_000)).findings()))
                .containsExactly("document_too_deep ");
        assertThat(Plans.found(Plans.read("{\"agents\":\"\\u0000\"}").findings()))
                .containsExactly("unstorable_text /agents");
        assertThat(Plans.found(Plans.read("\"" + "x".repeat(4_194_303) + "\"").findings()))
                .containsExactly("document_too_large ");
        assertThatThrownBy(() -> PlanReader.stored("{}", PlanLimits.USUAL))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_plan_of_the_most_steps_is_read() {
        ReadPlan read =
                Plans.read(
                        "{\"agents\":"
                                + Plans.many(
                                        10,
                                        "{\"subtask\":\"a\",\"tasks\":[{\"name\":\"t\",\"parallelism_mode\":\"dag\",\"steps\":["
                                                + chain(1_000)
                                                + "]}]}")
                                + "}");

        assertThat(read.findings()).isEmpty();
        assertThat(read.plan().stepCount()).isEqualTo(10_000);
    }

    @Test
    void the_longest_circle_is_found() {
        String steps =
                chain(1_000).replaceFirst("\"dependencies\":\\[\\]", "\"dependencies\":[\"s999\"]");
        ReadPlan read =
                Plans.read(
                        "{\"agents\":[{\"subtask\":\"a\",\"tasks\":[{\"name\":\"t\",\"parallelism_mode\":\"dag\",\"steps\":["
                                + steps
                                + "]}]}]}");

        assertThat(Plans.found(read.findings()))
                .containsExactly("cycle /agents/0/tasks/0/steps/0/dependencies");
        assertThat(read.findings().getFirst().message()).contains("…").hasSizeLessThan(300);
    }

    private static String chain(int steps) {
        return IntStream.range(0, steps)
                .mapToObj(
                        i ->
                                "{\"name\":\"s"
                                        + i
                                        + "\",\"tool\":\"t\",\"dependencies\":["
                                        + (i == 0 ? "" : "\"s" + (i - 1) + "\"")
                                        + "]}")
                .collect(Collectors.joining(","));
    }
}
