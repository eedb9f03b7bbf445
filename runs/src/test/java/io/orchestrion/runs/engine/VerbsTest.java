package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.agent;
import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.parallel;
import static io.orchestrion.runs.engine.RunFixture.plan;
import static io.orchestrion.runs.engine.RunFixture.step;
import static io.orchestrion.runs.engine.RunFixture.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.Ack.Applied;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.Priority;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.runs.tree.AttemptStatus;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.UUID;

/// What people ask of runs.
class VerbsTest {
    private final RunFixture fixture = new RunFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private UUID created() {
        return fixture.create(
                fixture.asked(one(step("a"), step("b")), FailureMode.FAIL_FAST, each -> each));
    }

    private Ack forceFail(UUID run) {
        return fixture.runs.inOne(tx -> fixture.runs.forceFail(tx, fixture.request(run)));
    }

    /// CB-039.
    @Test
    void a_created_run_is_cancelled_without_an_entry() {
        UUID id = created();
        assertThat(fixture.cancel(id)).isInstanceOf(Ack.Done.class);
        assertThat(fixture.cancel(id))
                .isInstanceOfSatisfying(Ack.Done.class, it -> assertThat(it.changed()).isFalse());
        assertThat(fixture.run(id).times().ends().durationMs()).isZero();
        assertThat(fixture.ledger(id)).isEmpty();
        assertThat(fixture.start(id)).isInstanceOf(Ack.WrongStatus.class);
    }

    /// Neither a clock nor a driver touches what nobody has started.
    @Test
    void a_created_run_stays_created_however_old_it_is() {
        UUID id = created();
        Run before = fixture.run(id);
        for (int i = 0; i < 3; i++) {
            fixture.later(Duration.ofDays(400));
            for (String duty : java.util.List.of("run-drivers", "run-heartbeat-monitor")) {
                fixture.test.kernel().sweepOnce(duty);
            }
        }
        assertThat(fixture.run(id)).isEqualTo(before);
        assertThat(fixture.start(id)).isInstanceOf(Ack.Done.class);
    }

    /// CB-044. Whatever would fail or end it again comes too late.
    @Test
    void a_run_that_is_over_keeps_its_first_error() {
        UUID id =
                fixture.running(
                        plan(
                                agent("one", "", task("t", "", step("a"))),
                                agent("two", "", task("t", "", step("b")))));
        WorkItem held = fixture.claim("b");
        fixture.failed("a", "ValueError");
        Run failed = fixture.run(id);
        assertThat(forceFail(id)).isInstanceOf(Ack.WrongStatus.class);
        assertThat(fixture.fail(held, "TypeError")).isNotInstanceOf(Applied.class);
        fixture.later(Duration.ofDays(30));
        fixture.test.kernel().sweepOnce("run-heartbeat-monitor");
        assertThat(fixture.run(id)).isEqualTo(failed);
        assertThat(failed.note().errorCode()).isEqualTo("ValueError");

        UUID cancelled = created();
        fixture.cancel(cancelled);
        Run over = fixture.run(cancelled);
        assertThat(forceFail(cancelled)).isInstanceOf(Ack.WrongStatus.class);
        assertThat(fixture.run(cancelled)).isEqualTo(over);
    }

    /// Of a completion and a failure at the same moment one wins, and nothing of the other
    /// is left.
    @Test
    void a_run_that_completes_and_fails_at_once_does_one_of_the_two() {
        for (int i = 0; i < 10; i++) {
            UUID id = created();
            fixture.start(id);
            fixture.drive(id, RunStatus.RUNNING);
            fixture.done("a");
            WorkItem held = fixture.claim("b");
            java.util.List<Boolean> won =
                    Parallel.run(
                            2,
                            way ->
                                    () ->
                                            way == 0
                                                    ? fixture.complete(held, "{}")
                                                            instanceof Applied
                                                    : forceFail(id) instanceof Ack.Done);
            assertThat(won).containsExactlyInAnyOrder(true, false);
            Run run = fixture.run(id);
            boolean well = won.getFirst();
            assertThat(run.status()).isEqualTo(well ? RunStatus.COMPLETED : RunStatus.FAILED);
            assertThat(run.note().error() == null).isEqualTo(well);
            assertThat(fixture.agents(id).getFirst().status())
                    .isEqualTo(well ? AgentStatus.COMPLETED : AgentStatus.FAILED);
            assertThat(fixture.ledger(id)).hasSize(3);
            assertThat(fixture.transitions(id)).hasSize(4);
        }
    }

    ///
    @Test
    void a_pending_run_is_cancelled_with_all_of_its_credits() {
        UUID id = created();
        fixture.start(id);
        fixture.cancel(id);
        assertThat(fixture.ledger(id)).containsExactly("reserve 100", "refund 100");
        assertThat(fixture.value("select state from item")).isEqualTo("cancelled");
    }

    ///
    @Test
    void a_created_run_is_deleted_and_its_row_stays() {
        UUID id = created();
        Ack gone = fixture.runs.inOne(tx -> fixture.runs.delete(tx, fixture.request(id)));
        assertThat(gone).isInstanceOf(Ack.Done.class);
        assertThat(fixture.start(id)).isInstanceOf(Ack.NotFound.class);
        assertThat(fixture.value("select count(*) from run where deleted_ms is not null"))
                .isEqualTo("1");
    }

    ///
    @Test
    void a_pause_lets_what_is_held_end_and_nothing_follow() {
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        "",
                                        task(
                                                "t",
                                                parallel(),
                                                step("a"),
                                                step("b"),
                                                step("c"),
                                                step("d")))));
        WorkItem held = fixture.claim("a");
        assertThat(fixture.pause(id)).isInstanceOf(Ack.Done.class);
        assertThat(fixture.pause(id))
                .isInstanceOfSatisfying(Ack.Done.class, it -> assertThat(it.changed()).isFalse());
        assertThat(fixture.agents(id).getFirst().status()).isEqualTo(AgentStatus.PAUSED);
        assertThat(fixture.claim("b", 1)).isEmpty();
        assertThat(fixture.complete(held, "{\"x\":1}", "{\"tokens\":2000}"))
                .isInstanceOf(Applied.class);
        assertThat(fixture.claim("d", 1)).isEmpty();
        assertThat(fixture.run(id).credits().charged()).isEqualByComparingTo("2");
        assertThat(fixture.attempts(fixture.step(id, "a")).getFirst().applied()).isFalse();
        fixture.later(Duration.ofHours(5));
        assertThat(fixture.resume(id)).isInstanceOf(Ack.Done.class);
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RESUMING);
        assertThat(fixture.cancel(id))
                .isInstanceOfSatisfying(
                        Ack.WrongStatus.class, it -> assertThat(it.retryable()).isTrue());
        fixture.drive(id, RunStatus.RUNNING);
        fixture.done("b");
        fixture.done("c");
        fixture.done("d");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        assertThat(fixture.transitions(id))
                .containsSubsequence(
                        "running -> paused", "paused -> resuming", "resuming -> running");
    }

    /// also what failed in between is followed up.
    @Test
    void a_failure_during_a_pause_takes_effect_when_it_goes_on() {
        UUID id = fixture.running(one(step("a"), step("b")));
        WorkItem held = fixture.claim("a");
        fixture.pause(id);
        fixture.fail(held, "ValueError");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.PAUSED);
        fixture.resume(id);
        fixture.drive(id, RunStatus.FAILED);
        assertThat(fixture.run(id).note().errorCode()).isEqualTo("ValueError");
    }

    ///
    @Test
    void a_cancelled_run_takes_leases_back_and_charges_what_was_used() {
        UUID id = fixture.running(one(step("a"), step("b"), step("c")));
        fixture.done("a");
        WorkItem held = fixture.claim("b");
        assertThat(fixture.cancel(id)).isInstanceOf(Ack.Done.class);
        assertThat(fixture.complete(held, "{}")).isNotInstanceOf(Applied.class);
        assertThat(fixture.tree(id))
                .containsExactly(
                        "all cancelled",
                        "- t cancelled",
                        "-- a completed",
                        "-- b cancelled",
                        "-- c cancelled");
        assertThat(fixture.ledger(id))
                .containsExactly("reserve 100", "charge 0.01", "refund 99.99");
        assertThat(fixture.attempts(fixture.step(id, "b")).getFirst().status())
                .isEqualTo(AttemptStatus.CANCELLED);
        // Also the item of its driver.
        assertThat(fixture.value("select count(*) from item where finished_ms is null"))
                .isEqualTo("0");
        assertThat(fixture.run(id).progress().inFlight()).isZero();
    }

    ///
    @Test
    void a_failed_run_is_retried_by_hand_whatever_the_error_was() {
        UUID id = fixture.running(one(step("a")));
        fixture.failed("a", "ValueError");
        assertThat(fixture.retry(id)).isInstanceOf(Ack.Done.class);
        assertThat(fixture.retry(id))
                .isInstanceOfSatisfying(
                        Ack.Done.class, it -> assertThat(it.run().attempt()).isEqualTo(2));
        assertThat(fixture.cancel(id)).isInstanceOf(Ack.WrongStatus.class);
        fixture.drive(id, RunStatus.RUNNING);
        assertThat(fixture.retry(id)).isInstanceOf(Ack.WrongStatus.class);
        fixture.done("a");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        assertThat(
                        fixture.value(
                                "select string_agg(outcome, ',' order by attempt_number) from"
                                        + " run_attempt"))
                .isEqualTo("failed,completed");
    }

    ///
    @Test
    void a_run_without_attempts_left_is_not_retried() {
        UUID id = fixture.running(one(step("a")));
        for (int i = 1; i <= 3; i++) {
            fixture.failed("a", "ValueError");
            if (i < 3) {
                fixture.retry(id);
                fixture.drive(id, RunStatus.RUNNING);
            }
        }
        assertThat(fixture.retry(id)).isInstanceOf(Ack.MaxAttempts.class);
    }

    ///
    @Test
    void urgent_runs_are_picked_up_first() {
        try (var narrow = new RunFixture(options -> Options.drivers(options, 1))) {
            UUID normal =
                    narrow.create(
                            narrow.asked(one(step("a")), FailureMode.FAIL_FAST, each -> each));
            UUID urgent =
                    narrow.create(
                            narrow.asked(
                                    one(step("b")),
                                    FailureMode.FAIL_FAST,
                                    Priority.HIGH,
                                    null,
                                    each -> each));
            narrow.start(normal);
            narrow.start(urgent);
            narrow.drive(urgent, RunStatus.RUNNING);
            assertThat(narrow.status(normal)).isEqualTo(RunStatus.PENDING);
            assertThat(
                            narrow.value(
                                    "select queue from run_items where run_id = 'run_"
                                            + urgent
                                            + "' and kind = 'run_drive'"))
                    .isEqualTo("runs.high_priority");
        }
    }

    ///
    @Test
    void a_run_is_failed_by_force() {
        UUID id = fixture.running(one(step("a")));
        fixture.claim("a");
        Ack ack =
                fixture.runs.inOne(
                        tx ->
                                fixture.runs.forceFail(
                                        tx,
                                        new Request(fixture.account, id, RunFixture.PERSON, null)));
        assertThat(ack).isInstanceOf(Ack.Done.class);
        Run run = fixture.run(id);
        assertThat(run.note().error()).isEqualTo("Timeout");
        assertThat(fixture.agents(id).getFirst().status()).isEqualTo(AgentStatus.FAILED);
        assertThat(fixture.ledger(id)).containsExactly("reserve 100", "refund 100");
    }

    ///
    @Test
    void an_agent_or_a_task_that_is_cancelled_counts_as_failed() {
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        RunFixture.mode("continue"),
                                        task("t", "", step("a")),
                                        task("u", "", step("b"))),
                                agent("two", "", task("v", "", step("c")))),
                        FailureMode.CONTINUE);
        var one = fixture.agents(id).getFirst();
        var two = fixture.agents(id).getLast();
        UUID task = fixture.tasks(one).getFirst().id();
        Ack first =
                fixture.runs.inOne(tx -> fixture.runs.cancelTask(tx, fixture.request(id), task));
        assertThat(first).isInstanceOf(Ack.Done.class);
        Ack second =
                fixture.runs.inOne(
                        tx -> fixture.runs.cancelAgent(tx, fixture.request(id), two.id()));
        assertThat(second).isInstanceOf(Ack.Done.class);
        fixture.done("b");
        assertThat(fixture.tree(id))
                .containsExactly(
                        "one completed",
                        "- t cancelled",
                        "-- a cancelled",
                        "- u completed",
                        "-- b completed",
                        "two cancelled",
                        "- v cancelled",
                        "-- c cancelled");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }

    /// A step that is tried again has its agent run, whose time counts.
    @Test
    void an_agent_runs_when_a_worker_tries_a_step_of_it_again_after_a_pause() {
        UUID run = fixture.running(one(step("a")));
        fixture.failed("a", "ConnectionError");
        fixture.pause(run);
        fixture.resume(run);
        fixture.drive(run, RunStatus.RUNNING);
        fixture.later(Duration.ofSeconds(1));
        assertThat(fixture.agents(run).getFirst().status()).isEqualTo(AgentStatus.PENDING);
        fixture.claim("a");
        assertThat(fixture.agents(run).getFirst().status()).isEqualTo(AgentStatus.RUNNING);
        assertThat(fixture.agents(run).getFirst().clock().deadlineMs()).isNotNull();
    }

    ///
    @Test
    void what_people_do_is_in_the_audit_log() {
        UUID id = fixture.running(one(step("a")));
        fixture.pause(id);
        fixture.resume(id);
        fixture.drive(id, RunStatus.RUNNING);
        fixture.cancel(id);
        assertThat(
                        fixture.value(
                                "select string_agg(action, ',' order by seq) from audit where"
                                        + " action like 'run.%'"))
                .isEqualTo("run.start,run.pause,run.resume,run.cancel");
    }
}
