package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.agent;
import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.plan;
import static io.orchestrion.runs.engine.RunFixture.step;
import static io.orchestrion.runs.engine.RunFixture.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.RunStatus;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.UUID;

/// Whole runs, from their creation to their end.
class RunFlowTest {
    private final RunFixture fixture = new RunFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    ///
    @Test
    void a_created_run_has_reserved_nothing_and_begun_nothing() {
        UUID id =
                fixture.create(fixture.asked(one(step("a")), FailureMode.FAIL_FAST, each -> each));
        Run run = fixture.run(id);
        assertThat(run.status()).isEqualTo(RunStatus.CREATED);
        assertThat(run.credits().reserved()).isZero();
        assertThat(run.counts().agents()).isZero();
        assertThat(run.times().startedMs()).isNull();
        assertThat(run.times().deadlineMs()).isNull();
        assertThat(fixture.ledger(id)).isEmpty();
        assertThat(fixture.value("select count(*) from work")).isEqualTo("0");
    }

    ///
    @Test
    void a_start_reserves_and_enqueues_once() {
        UUID id =
                fixture.create(fixture.asked(one(step("a")), FailureMode.FAIL_FAST, each -> each));
        assertThat(fixture.start(id)).isInstanceOf(Ack.Done.class);
        assertThat(fixture.start(id))
                .isInstanceOfSatisfying(
                        Ack.Done.class, done -> assertThat(done.changed()).isFalse());
        Run run = fixture.run(id);
        assertThat(run.status()).isEqualTo(RunStatus.PENDING);
        assertThat(run.times().startedMs()).isNotNull();
        assertThat(run.counts().agents()).isZero();
        assertThat(fixture.ledger(id)).containsExactly("reserve 100");
        assertThat(
                        fixture.value(
                                "select string_agg(queue, ',') from run_items where kind ="
                                        + " 'run_drive'"))
                .isEqualTo("runs.normal");
    }

    ///
    @Test
    void a_run_goes_from_step_to_step_and_is_settled_at_its_end() {
        UUID id = fixture.running(one(step("a"), step("b")));
        assertThat(fixture.agents(id))
                .singleElement()
                .satisfies(each -> assertThat(each.status()).isEqualTo(AgentStatus.PENDING));
        assertThat(fixture.claim("b", 1)).isEmpty();
        fixture.done("a");
        fixture.done("b");
        Run run = fixture.run(id);
        assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(fixture.tree(id))
                .containsExactly(
                        "all completed", "- t completed", "-- a completed", "-- b completed");
        assertThat(fixture.transitions(id))
                .containsExactly(
                        "created",
                        "created -> pending",
                        "pending -> running",
                        "running -> completed");
        assertThat(run.credits().charged()).isEqualByComparingTo("0.02");
        assertThat(run.times().ends().durationMs()).isNotNull();
        assertThat(fixture.ledger(id))
                .containsExactly("reserve 100", "charge 0.02", "refund 99.98");
        assertThat(
                        fixture.value(
                                "select count(*) from item where state in"
                                        + " ('ready','running','waiting')"))
                .isEqualTo("0");
        assertThat(fixture.pause(id)).isInstanceOf(Ack.WrongStatus.class);
    }

    ///
    @Test
    void agents_tasks_and_steps_are_numbered_and_counted() {
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        "",
                                        task("t", "", step("a")),
                                        task("u", "", step("b"))),
                                agent("two", "", task("t", "", step("c"), step("d")))));
        Run run = fixture.run(id);
        assertThat(run.counts().agents()).isEqualTo(2);
        assertThat(run.counts().tasks()).isEqualTo(3);
        assertThat(run.counts().steps()).isEqualTo(4);
        assertThat(fixture.agents(id).stream().map(each -> each.place().sequence()))
                .containsExactly(0, 1);
        fixture.done("a");
        fixture.done("c");
        fixture.done("d");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RUNNING);
        fixture.done("b");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }

    ///
    @Test
    void a_step_that_fails_fails_its_task_its_agent_and_its_run() {
        UUID id = fixture.running(one(step("a"), step("b")));
        fixture.done("a");
        fixture.failed("b", "Tool timeout");
        Run run = fixture.run(id);
        assertThat(run.status()).isEqualTo(RunStatus.FAILED);
        assertThat(fixture.tree(id))
                .containsExactly("all failed", "- t failed", "-- a completed", "-- b failed");
        assertThat(fixture.ledger(id))
                .containsExactly("reserve 100", "charge 0.01", "refund 99.99");
        assertThat(run.note().error()).isEqualTo("it did not work");
    }

    ///
    @Test
    void a_step_is_tried_three_times() {
        UUID id = fixture.running(one(step("a")));
        fixture.failedForGood("a");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.FAILED);
        assertThat(fixture.attempts(fixture.step(id, "a"))).hasSize(3);
    }
}
