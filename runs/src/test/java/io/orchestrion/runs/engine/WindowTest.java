package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.after;
import static io.orchestrion.runs.engine.RunFixture.agent;
import static io.orchestrion.runs.engine.RunFixture.dag;
import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.parallel;
import static io.orchestrion.runs.engine.RunFixture.plan;
import static io.orchestrion.runs.engine.RunFixture.step;
import static io.orchestrion.runs.engine.RunFixture.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/// How much of a run may be worked on at once.
class WindowTest {
    private final RunFixture fixture = new RunFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String[] tasks(int count, String tool) {
        return IntStream.range(0, count)
                .mapToObj(
                        i ->
                                task(
                                        "t" + i,
                                        "",
                                        step("s")
                                                .replace(
                                                        "\"tool\":\"s\"",
                                                        "\"tool\":\"" + tool + "\"")))
                .toArray(String[]::new);
    }

    private static String[] steps(int count, String tool) {
        return IntStream.range(0, count)
                .mapToObj(
                        i ->
                                step("s" + i)
                                        .replace(
                                                "\"tool\":\"s" + i + "\"",
                                                "\"tool\":\"" + tool + "\""))
                .toArray(String[]::new);
    }

    ///
    @Test
    void tasks_and_steps_go_one_after_the_other_where_nothing_else_is_said() {
        UUID id = fixture.running(plan(agent("one", "", tasks(3, "x"))));
        for (int i = 0; i < 3; i++) {
            List<WorkItem> claimed = fixture.claim("x", 10);
            assertThat(claimed).hasSize(1);
            fixture.complete(claimed.getFirst(), "{}");
        }
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }

    ///
    @Test
    void five_tasks_of_an_agent_are_worked_on_at_once() {
        UUID id = fixture.running(plan(agent("one", parallel(), tasks(12, "x"))));
        var held = new ArrayList<>(fixture.claim("x", 50));
        assertThat(held).hasSize(5);
        int done = 0;
        while (!held.isEmpty()) {
            fixture.complete(held.removeFirst(), "{}");
            done++;
            held.addAll(fixture.claim("x", 50));
            assertThat(held.size()).isLessThanOrEqualTo(5);
        }
        assertThat(done).isEqualTo(12);
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }

    ///
    @Test
    void three_steps_of_a_task_are_worked_on_at_once() {
        UUID id = fixture.running(plan(agent("one", "", task("t", parallel(), steps(7, "x")))));
        var held = new ArrayList<>(fixture.claim("x", 50));
        assertThat(held).hasSize(3);
        while (!held.isEmpty()) {
            fixture.complete(held.removeFirst(), "{}");
            held.addAll(fixture.claim("x", 50));
            assertThat(held.size()).isLessThanOrEqualTo(3);
        }
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }

    /// R-226, CB-070.
    @Test
    void a_task_waits_for_all_that_it_depends_on() {
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        dag(),
                                        task("a", "", step("a")),
                                        task("b", "", step("b")),
                                        task("c", after("a", "b"), step("c")),
                                        task("d", after("a"), step("d")))));
        assertThat(fixture.claim("c", 1)).isEmpty();
        fixture.done("a");
        fixture.done("d");
        assertThat(fixture.claim("c", 1)).isEmpty();
        fixture.done("b");
        fixture.done("c");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }

    /// The limits are kept where items are made, so that it makes no difference who claims.
    @Test
    void the_windows_hold_with_two_nodes() {
        UUID id = fixture.running(plan(agent("one", parallel(), tasks(20, "x"))));
        try (var other = fixture.secondNode()) {
            assertThat(
                            fixture.claim("x", 50).size()
                                    + fixture.claim(other.kernel(), "x", 50).size())
                    .isEqualTo(5);
        }
        assertThat(fixture.run(id).progress().inFlight()).isEqualTo(5);
    }

    /// Ten workers on two nodes take what they get, and the database
    /// looks at every commit whether more is given out than may be.
    @Test
    void the_windows_hold_while_ten_workers_claim_on_two_nodes() {
        CommitWatch.over(fixture.test.database());
        String[] tasks =
                IntStream.range(0, 6)
                        .mapToObj(i -> task("t" + i, parallel(), steps(4, "x")))
                        .toArray(String[]::new);
        UUID id =
                fixture.running(
                        plan(
                                agent("one", parallel(), tasks),
                                agent("two", parallel(), tasks),
                                agent("three", "", tasks)));
        assertThat(fixture.run(id).progress().inFlight()).isEqualTo(15 + 15 + 3);
        try (var other = fixture.secondNode()) {
            List<Integer> done =
                    Parallel.run(
                            10,
                            i ->
                                    () -> {
                                        var node =
                                                i % 2 == 0 ? fixture.test.kernel() : other.kernel();
                                        int mine = 0;
                                        while (fixture.status(id) == RunStatus.RUNNING) {
                                            for (var view : fixture.claim(node, "x", 1 + i % 3)) {
                                                fixture.complete(view.item(), "{}");
                                                mine++;
                                            }
                                        }
                                        return mine;
                                    });
            assertThat(done.stream().mapToInt(Integer::intValue).sum()).isEqualTo(72);
        }
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        assertThat(fixture.value("select count(*) from run_step_attempt")).isEqualTo("72");
    }

    /// R-223, and what is large is named and not repeated.
    @Test
    void a_step_is_given_what_the_one_before_it_gave() {
        UUID id = fixture.running(one(step("a"), step("b"), step("c")));
        fixture.done("a", "{\"small\":1}");
        var b = fixture.view("b");
        assertThat(RunFixture.payload(b))
                .contains(
                        "\"outputs\":{\"a\":{\"small\":1}}",
                        "\"attempt_number\":1",
                        "idempotency_key");
        fixture.complete(b.item(), "{\"large\":\"" + "x".repeat(9_000) + "\"}");
        var c = RunFixture.payload(fixture.view("c"));
        assertThat(c).contains("$output").doesNotContain("xxxx");
        assertThat(c.length()).isLessThan(2_000);
    }
}
