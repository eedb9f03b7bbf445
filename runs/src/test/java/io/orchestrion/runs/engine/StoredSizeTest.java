package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.agent;
import static io.orchestrion.runs.engine.RunFixture.mode;
import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.plan;
import static io.orchestrion.runs.engine.RunFixture.step;
import static io.orchestrion.runs.engine.RunFixture.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.runs.read.RunReads;
import io.orchestrion.runs.state.RunStatus;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;

/// How much is stored of what steps give.
class StoredSizeTest {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final RunFixture fixture = new RunFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static JsonNode call(WorkView view) {
        return JSON.readTree(RunFixture.payload(view));
    }

    /// How many characters all rows of runs and their items have.
    private long stored() {
        long all = 0;
        for (String table :
                List.of(
                        "run",
                        "run_plan",
                        "run_step",
                        "run_step_attempt",
                        "run_decision",
                        "subject_event",
                        "item",
                        "item_event")) {
            all +=
                    Long.parseLong(
                            fixture.value(
                                    "select coalesce(sum(length(t::text)), 0) from "
                                            + table
                                            + " t"));
        }
        return all;
    }

    private long grownBy(int steps, int outputBytes) {
        long before = stored();
        String[] all =
                IntStream.range(0, steps)
                        .mapToObj(i -> step("s" + i).replace("\"tool\":\"s" + i, "\"tool\":\"x"))
                        .toArray(String[]::new);
        UUID id = fixture.running(one(all));
        for (int i = 0; i < steps; i++) {
            fixture.done("x", "{\"text\":\"" + "y".repeat(outputBytes) + "\"}");
        }
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        return stored() - before;
    }

    /// Twice the work leaves about twice the rows' size, with small outputs and with large ones.
    @Test
    void what_is_stored_grows_with_the_work_and_not_with_its_square() {
        for (int bytes : new int[] {100, 7_000, 20_000}) {
            long once = grownBy(5, bytes);
            long twice = grownBy(10, bytes);
            assertThat(twice).as("outputs of %s bytes", bytes).isLessThan(once * 23 / 10);
        }
    }

    /// Rows of all tables in which the text is.
    private List<String> tablesWith(String text) {
        return fixture
                .test
                .database()
                .rows(
                        "select table_name as name from information_schema.tables where"
                                + " table_schema = 'orchestrion' and table_type = 'BASE TABLE'")
                .stream()
                .map(row -> String.valueOf(row.get("name")))
                .filter(
                        table ->
                                !fixture.test
                                        .database()
                                        .rows(
                                                "select 1 from "
                                                        + table
                                                        + " t where t::text like ?",
                                                "%" + text + "%")
                                        .isEmpty())
                .toList();
    }

    private @Nullable String output(UUID run, String step) {
        UUID id = fixture.step(run, step).id();
        var seen = fixture.runs.inOne(tx -> RunReads.step(id, null, 1).read(tx, fixture.run(run)));
        return Objects.requireNonNull(seen).step().output().json();
    }

    /// A large output is stored once, with the item that it came from; the step and whatever
    /// follows name it. It is read as any other, also when its task has failed and began anew.
    @Test
    void a_large_output_is_stored_once() {
        String large = "{\"text\":\"unmistakable " + "z".repeat(20_000) + "\"}";
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        "",
                                        task("t", "", step("a"), step("b")),
                                        task("u", "", step("c")))));
        fixture.done("a", large);
        assertThat(call(fixture.view("b")).at("/outputs/a/bytes").asInt())
                .isEqualTo(large.length());
        assertThat(tablesWith("unmistakable zzz")).containsExactly("work");
        assertThat(output(id, "a")).isEqualTo(large);
        assertThat(fixture.value("select output from run_steps where name = 'a'")).isEqualTo(large);
        fixture.pause(id);
        fixture.resume(id);
        fixture.drive(id, RunStatus.RUNNING);
        assertThat(output(id, "a")).isEqualTo(large);
        assertThat(fixture.step(id, "a").output().bytes()).isEqualTo(large.length());
    }

    /// What a task had given before it began anew is not taken for what it gives now.
    @Test
    void a_large_output_goes_with_the_attempt_of_its_task() {
        String large = "{\"text\":\"first " + "z".repeat(20_000) + "\"}";
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
        fixture.done("a", large);
        fixture.failed("b", "ConnectionError");
        assertThat(fixture.step(id, "a").output()).isNull();
        assertThat(output(id, "a")).isNull();
        fixture.later(Duration.ofSeconds(1));
        fixture.done("a", "{\"text\":\"second\"}");
        assertThat(output(id, "a")).isEqualTo("{\"text\":\"second\"}");
        assertThat(call(fixture.view("b")).at("/outputs/a/text").asString()).isEqualTo("second");
    }

    /// However much an agent has done, what it is given for its next round is bounded: what does
    /// not fit is named.
    @Test
    void the_rounds_of_an_agent_do_not_carry_all_that_was_said_before() {
        UUID id = fixture.running(plan(agent("loop", "")));
        int rounds = 12;
        long most = 0;
        for (int i = 0; i < rounds; i++) {
            WorkView view = fixture.view("agent_plan");
            most = Math.max(most, RunFixture.payload(view).length());
            fixture.complete(
                    view.item(),
                    "{\"tasks\":["
                            + task("t" + i, "", step("x"))
                            + "],\"continue\":"
                            + (i < rounds - 1)
                            + "}");
            fixture.done("x", "{\"text\":\"" + "y".repeat(7_000) + "\"}");
        }
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        assertThat(most).isLessThan(64 * 1024 + 16 * 1024);
    }
}
