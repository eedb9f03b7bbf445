package io.orchestrion.runs.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.schema.CheckBudget;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Set;

/// What an agent plans for itself, round by round.
class AgentTasksTest {
    private static final Earlier EARLIER =
            new Earlier(ParallelismMode.DAG, Set.of("search", "read"), 9_999);

    private static final String TASK =
            "{\"name\":\"%s\",\"dependencies\":[%s],\"steps\":[{\"name\":\"s\",\"tool\":\"t\"}]}";

    @Test
    void a_round_has_tasks_that_may_wait_for_earlier_ones() {
        ReadTasks read =
                read(
                        "{\"tasks\":["
                                + TASK.formatted("write", "\"search\"")
                                + "],\"continue\":true}");

        assertThat(read.findings()).isEmpty();
        assertThat(read.round().again()).isTrue();
        assertThat(read.round().tasks().getFirst().dependencies()).containsExactly("search");
    }

    @Test
    void no_task_ends_the_planning() {
        ReadTasks read = read("{\"tasks\":[]}");

        assertThat(read.findings()).isEmpty();
        assertThat(read.round()).isEqualTo(new ReadTasks.Round(java.util.List.of(), false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            textBlock =
                    """
                    # result                                              | found                                    | the schema says so
                    {}                                                    | missing_field /tasks                     | true
                    {"tasks":[],"continue":true}                          | empty_round /tasks                       | true
                    {"tasks":[],"continue":"yes"}                         | wrong_type /continue                     | true
                    {"tasks":[],"agents":[]}                              | unknown_field /agents                    | true
                    {"tasks":[{"name":"a"}]}                              | missing_field /tasks/0/steps             | true
                    {"tasks":[$read]}                                     | duplicate_name /tasks/0/name             | false
                    {"tasks":[$unknown]}                                  | unknown_dependency /tasks/0/dependencies/0 | false
                    {"tasks":[$a,$b]}                                     | too_many_steps -                         | false
                    {"tasks":[],"continue":false}                         | -                                        | false
                    """)
    void what_is_wrong_is_found(String result, String found, boolean shape) {
        String json =
                result.replace("$read", TASK.formatted("read", ""))
                        .replace("$unknown", TASK.formatted("c", "\"none\""))
                        .replace("$a", TASK.formatted("a", ""))
                        .replace("$b", TASK.formatted("b", ""));

        if (found == null) {
            assertThat(read(json).findings()).isEmpty();
        } else {
            assertThat(Plans.found(read(json).findings()))
                    .containsExactly(found.replace(" -", " "));
        }
        assertThat(
                        Plans.SCHEMAS
                                .check(Plans.ACCOUNT, PlanSchema.tasks(), json, new CheckBudget())
                                .isEmpty())
                .isEqualTo(!shape);
    }

    @Test
    void an_agent_has_no_more_tasks_over_all_rounds_than_in_a_plan() {
        var limits = new PlanLimits(100_000, 1, 3, 10, 10_000, 1_000, 3, 1_000, 1_000);
        ReadTasks read =
                Plans.READER.readTasks(
                        Plans.ACCOUNT,
                        "{\"tasks\":["
                                + TASK.formatted("a", "")
                                + ","
                                + TASK.formatted("b", "")
                                + "]}",
                        limits,
                        new Earlier(ParallelismMode.DAG, Set.of("search", "read"), 2));

        assertThat(Plans.found(read.findings())).containsExactly("out_of_bounds /tasks");
    }

    private static ReadTasks read(String json) {
        return Plans.READER.readTasks(Plans.ACCOUNT, json, PlanLimits.USUAL, EARLIER);
    }
}
