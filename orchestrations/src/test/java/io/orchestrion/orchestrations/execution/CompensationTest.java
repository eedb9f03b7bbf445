package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.retry.FailureDecision.Reason;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.orchestrations.execution.DeadLetter.Compensation;
import io.orchestrion.orchestrations.execution.DeadLetter.Status;
import io.orchestrion.orchestrations.execution.DeadLetters.Action;
import io.orchestrion.orchestrations.execution.DeadLetters.Handled;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Objects;
import java.util.UUID;

/// Steps of which half was done, and how that is undone.
class CompensationTest {
    private final OrchestrationFixture fixture = new OrchestrationFixture();
    private final Acts acts = new Acts(fixture);

    @AfterEach
    void close() {
        fixture.close();
    }

    private UUID failed(String policy, String more) {
        UUID id = fixture.start(Documents.of(Acts.undoable("a", policy, more))).id();
        acts.failHalfDone("a");
        return id;
    }

    private StepError error(UUID id) {
        return Objects.requireNonNull(fixture.execution(id).ending().error());
    }

    /// E-164, E-124, E-169.
    @Test
    void an_automatic_compensation_runs_once_and_then_the_execution_has_failed() {
        UUID id = failed("auto", "");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.RUNNING);
        assertThat(fixture.history(id)).containsExactly("a#1 failed", "a compensation#1 pending");
        assertThat(acts.onlyLetter(id).handling().compensation()).isEqualTo(Compensation.RUNNING);
        acts.succeed("undo_a");

        assertThat(fixture.history(id)).containsExactly("a#1 failed", "a compensation#1 succeeded");
        Execution execution = fixture.execution(id);
        assertThat(execution.status()).isEqualTo(ExecutionStatus.FAILED);
        assertThat(execution.ending().compensated()).isTrue();
        assertThat(error(id).code()).isEqualTo("half_done");
        DeadLetter letter = acts.onlyLetter(id);
        assertThat(letter.handling().compensation()).isEqualTo(Compensation.DONE);
        assertThat(letter.handling().action()).isNull();
        assertThat(fixture.step(id, "a", AttemptKind.COMPENSATION, 1).key().value())
                .isNotEqualTo(fixture.step(id, "a", 1).key().value());
    }

    /// E-164: the way of failures is taken after it, not before.
    @Test
    void the_way_of_failures_is_taken_when_the_step_is_undone() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Acts.undoable("a", "auto", Acts.onFailure("b")),
                                        Documents.task("b", "")))
                        .id();
        acts.failHalfDone("a");
        assertThat(fixture.claim("do_b", 1)).isEmpty();
        acts.succeed("undo_a");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.RUNNING);
        assertThat(acts.onlyLetter(id).status()).isEqualTo(Status.HANDLED);
        acts.succeed("do_b");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.SUCCEEDED);
        assertThat(fixture.execution(id).ending().compensated()).isTrue();
    }

    /// E-165, E-230.
    @Test
    void a_manual_compensation_halts_the_execution_and_asks_somebody() {
        UUID id = failed("manual", Acts.onFailure("terminal"));
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.WAITING_APPROVAL);
        Approval asked = acts.asked(id);
        assertThat(asked.kind()).isEqualTo(AttemptKind.COMPENSATION);
        assertThat(asked.question().input()).contains("half_done");
        assertThat(fixture.claim("undo_a", 1)).isEmpty();
        assertThat(acts.openItems(id)).isZero();
    }

    /// E-166.
    @Test
    void an_approved_compensation_runs_once() {
        UUID id = failed("manual", "");
        Approval asked = acts.asked(id);
        acts.decide(asked, true);
        acts.decide(asked, true);
        assertThat(fixture.history(id)).containsExactly("a#1 failed", "a compensation#1 pending");
        Approval decided = fixture.engine.approvals().get(fixture.account, asked.id());
        assertThat(decided.answer().by()).isEqualTo(fixture.person);
        assertThat(decided.answer().atMs()).isPositive();
        acts.succeed("undo_a");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
        assertThat(fixture.execution(id).ending().compensated()).isTrue();
    }

    /// E-167.
    @Test
    void a_refused_compensation_leaves_the_step_to_a_person() {
        UUID id = failed("manual", Acts.onFailure("terminal"));
        acts.decide(acts.asked(id), false);
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
        assertThat(fixture.execution(id).ending().compensated()).isFalse();
        assertThat(error(id).code()).isEqualTo("half_done");
        DeadLetter letter = acts.onlyLetter(id);
        assertThat(letter.status()).isEqualTo(Status.OPEN);
        assertThat(letter.handling().action()).isEqualTo("manual_compensation");
        assertThat(fixture.claim("undo_a", 1)).isEmpty();
    }

    /// E-168: the way of failures is not taken either.
    @Test
    void without_a_handler_the_execution_has_failed_and_somebody_has_to_act() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", Acts.onFailure("b")),
                                        Documents.task("b", "")))
                        .id();
        acts.failHalfDone("a");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
        DeadLetter letter = acts.onlyLetter(id);
        assertThat(letter.reason()).isEqualTo(Reason.COMPENSATION_REQUIRED);
        assertThat(letter.status()).isEqualTo(Status.OPEN);
        assertThat(letter.handling().action()).isEqualTo("manual_compensation");
        assertThat(acts.compensate(letter.id())).isInstanceOf(Handled.NothingToCompensate.class);
    }

    /// E-169, E-170: within the policy of its step, and under one key.
    @Test
    void a_compensation_is_retried_within_bounds_and_then_left_to_a_person() {
        UUID id = failed("auto", "");
        for (int attempt = 1; attempt <= 3; attempt++) {
            fixture.fail(fixture.claim("undo_a"), "unavailable");
            fixture.later(Duration.ofSeconds(10));
        }
        assertThat(fixture.claim("undo_a", 1)).isEmpty();
        assertThat(fixture.history(id))
                .containsExactly(
                        "a#1 failed",
                        "a compensation#1 failed",
                        "a compensation#2 failed",
                        "a compensation#3 failed");
        assertThat(fixture.steps(id).stream().skip(1).map(step -> step.key().value()).distinct())
                .hasSize(1);
        DeadLetter letter = acts.onlyLetter(id);
        assertThat(letter.status()).isEqualTo(Status.OPEN);
        assertThat(letter.reason()).isEqualTo(Reason.COMPENSATION_FAILED);
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
        assertThat(fixture.execution(id).ending().compensated()).isFalse();
        assertThat(acts.letter(letter.id()).actions())
                .containsExactlyInAnyOrder(
                        Action.COMPENSATE,
                        Action.MARK_COMPENSATED,
                        Action.RESOLVE,
                        Action.REPROCESS);
    }

    /// E-170, E-176: a person tries it again, with numbers that go on.
    @Test
    void a_person_can_run_a_compensation_that_had_failed() {
        UUID id = failed("auto", "");
        fixture.fail(fixture.claim("undo_a"), "validation_failed");
        Handled run = acts.compensate(acts.onlyLetter(id).id());
        assertThat(run).isInstanceOf(Handled.Done.class);
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.RUNNING);
        assertThat(acts.compensate(acts.onlyLetter(id).id()))
                .isInstanceOf(Handled.WrongStatus.class);
        assertThat(acts.resolve(acts.onlyLetter(id).id())).isInstanceOf(Handled.WrongStatus.class);
        acts.succeed("undo_a");
        assertThat(fixture.history(id))
                .containsExactly(
                        "a#1 failed", "a compensation#1 failed", "a compensation#2 succeeded");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
        assertThat(fixture.execution(id).ending().compensated()).isTrue();
        assertThat(fixture.execution(id).attemptCount()).isEqualTo(2);
    }

    /// E-171, E-210.
    @Test
    void a_person_can_say_that_it_was_undone() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ",NOT_SAFE"))).id();
        acts.failHalfDone("a");
        DeadLetter letter = acts.onlyLetter(id);
        assertThat(acts.mark(letter.id())).isInstanceOf(Handled.Done.class);
        DeadLetter marked = acts.onlyLetter(id);
        assertThat(marked.status()).isEqualTo(Status.RESOLVED);
        assertThat(marked.handling().compensation()).isEqualTo(Compensation.MARKED);
        assertThat(marked.handling().note()).isEqualTo("looked at it");
        assertThat(marked.handling().closedBy()).isEqualTo("key:" + fixture.person.key());
        assertThat(fixture.execution(id).ending().compensated()).isTrue();
        assertThat(acts.mark(letter.id())).isInstanceOf(Handled.WrongStatus.class);
        assertThat(
                        fixture.test
                                .database()
                                .<Long>value(
                                        "select count(*) from audit where action ="
                                                + " 'orchestration.compensation.mark'"))
                .isEqualTo(1);
    }

    /// E-172, CB-010: what was undone may take effect again.
    @Test
    void after_a_compensation_a_retry_has_another_key() {
        UUID marked = fixture.start(Documents.of(Documents.task("a", ",NOT_SAFE"))).id();
        acts.failHalfDone("a");
        acts.mark(acts.onlyLetter(marked).id());
        assertThat(acts.retry(marked, "a", true)).isInstanceOf(Ack.Done.class);
        assertThat(fixture.step(marked, "a", 2).key().epoch()).isEqualTo(1);
        assertThat(fixture.step(marked, "a", 2).key().value())
                .isNotEqualTo(fixture.step(marked, "a", 1).key().value());
        acts.succeed("do_a");

        UUID undone = failed("auto", "");
        acts.succeed("undo_a");
        acts.retry(undone, "a", true);
        assertThat(fixture.step(undone, "a", 2).key().epoch()).isEqualTo(1);
        // This attempt fails as well: the key stays until that is undone, too.
        WorkItem second = fixture.claim("do_a");
        fixture.fail(second, "validation_failed");
        acts.retry(undone, "a", true);
        assertThat(fixture.step(undone, "a", 3).key().epoch()).isEqualTo(1);
        assertThat(fixture.step(undone, "a", 3).key().value())
                .isEqualTo(fixture.step(undone, "a", 2).key().value());
    }

    /// E-172: nothing was undone, so that it is the same effect.
    @Test
    void without_a_compensation_a_retry_keeps_the_key() {
        UUID id = failed("manual", "");
        acts.decide(acts.asked(id), false);
        acts.retry(id, "a", true);
        assertThat(fixture.step(id, "a", 2).key().value())
                .isEqualTo(fixture.step(id, "a", 1).key().value());
    }

    /// E-158, E-171, E-172: of a step whose guard failed as well.
    @Test
    void a_step_that_was_undone_after_its_guard_failed_gets_another_key() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", ",\"guard_handler\":\"task:look_a\"")))
                        .id();
        fixture.fail(fixture.claim("do_a"), "unavailable");
        fixture.later(Duration.ofSeconds(2));
        fixture.fail(fixture.claim("look_a"), "unavailable");
        assertThat(acts.onlyLetter(id).handling().action()).isEqualTo("check_effect");
        acts.mark(acts.onlyLetter(id).id());
        assertThat(acts.retry(id)).isInstanceOf(Ack.Done.class);
        StepAttempt newest = fixture.steps(id).getLast();
        assertThat(newest.place().kind()).isEqualTo(AttemptKind.STEP);
        assertThat(newest.key().epoch()).isEqualTo(1);
    }

    /// E-165, E-094: nobody's time runs while a person is asked, and it goes on afterwards.
    @Test
    void a_compensation_is_within_the_time_of_its_execution() {
        UUID id =
                fixture.start(
                                Acts.within(
                                        3_600_000, Documents.of(Acts.undoable("a", "manual", ""))))
                        .id();
        acts.failHalfDone("a");
        fixture.later(Duration.ofHours(2));
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.WAITING_APPROVAL);
        acts.decide(acts.asked(id), true);
        fixture.later(Duration.ofHours(2));
        assertThat(error(id).code()).isEqualTo("execution_timeout");
        assertThat(acts.onlyLetter(id).handling().action()).isEqualTo("manual_compensation");
        assertThat(acts.openItems(id)).isZero();
    }
}
