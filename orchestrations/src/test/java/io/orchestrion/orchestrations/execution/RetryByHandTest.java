package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.orchestrations.execution.DeadLetter.Status;
import io.orchestrion.orchestrations.execution.DeadLetters.Action;
import io.orchestrion.orchestrations.execution.DeadLetters.Handled;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/// What people do about executions that failed, and what they are shown.
class RetryByHandTest {
    private final OrchestrationFixture fixture = new OrchestrationFixture();
    private final Acts acts = new Acts(fixture);

    @AfterEach
    void close() {
        fixture.close();
    }

    private long audited(String action) {
        return fixture.test.database().value("select count(*) from audit where action = ?", action);
    }

    /// E-214, E-056, E-085, E-209.
    @Test
    void a_retry_goes_on_from_the_step_that_failed() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", Acts.next("b")),
                                        Documents.task("b", "")))
                        .id();
        acts.succeed("do_a");
        acts.failForGood("b");
        Ack done = acts.retry(id);
        assertThat(((Ack.Done) done).step().place().stepId()).isEqualTo("b");
        assertThat(fixture.execution(id).attemptCount()).isEqualTo(2);
        assertThat(fixture.execution(id).ending()).isEqualTo(Execution.Ending.NONE);
        assertThat(audited("orchestration.retry")).isEqualTo(1);
        acts.succeed("do_b");
        assertThat(fixture.history(id))
                .containsExactly("a#1 succeeded", "b#1 failed", "b#2 succeeded");
        assertThat(acts.transitions(id))
                .containsExactly(
                        "null>running", "running>failed", "failed>running", "running>succeeded");
        assertThat(acts.onlyLetter(id).status()).isEqualTo(Status.REPROCESSED);
    }

    /// E-215, CB-023: numbers go on, the budget is new.
    @Test
    void a_retried_step_has_a_new_budget_of_attempts() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        exhaust();
        acts.retry(id, "a", false);
        exhaust();
        assertThat(fixture.history(id))
                .containsExactly(
                        "a#1 failed",
                        "a#2 failed",
                        "a#3 failed",
                        "a#4 failed",
                        "a#5 failed",
                        "a#6 failed");
        assertThat(fixture.letters(id))
                .extracting(DeadLetter::status)
                .containsExactly(Status.OPEN, Status.REPROCESSED);
    }

    private void exhaust() {
        for (int i = 0; i < 3; i++) {
            fixture.fail(fixture.claim("do_a"), "unavailable");
            fixture.later(Duration.ofSeconds(10));
        }
    }

    /// E-215: only a step that has failed can be retried.
    @Test
    void a_step_that_succeeded_or_never_began_is_not_retried() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", Acts.next("b")),
                                        Documents.task("b", Acts.next("c")),
                                        Documents.task("c", "")))
                        .id();
        acts.succeed("do_a");
        acts.failForGood("b");
        for (String step : List.of("a", "c", "nothing")) {
            assertThat(acts.retry(id, step, true)).isInstanceOf(Ack.NotFailed.class);
        }
        assertThat(fixture.execution(id).attemptCount()).isEqualTo(1);
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
    }

    /// E-161.
    @Test
    void what_is_not_safe_is_not_repeated_before_somebody_says_so() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ",NOT_SAFE"))).id();
        acts.failForGood("a");
        UUID letter = acts.onlyLetter(id).id();
        assertThat(acts.retry(id)).isInstanceOf(Ack.Unsafe.class);
        assertThat(acts.retry(id, "a", false)).isInstanceOf(Ack.Unsafe.class);
        assertThat(acts.reprocess(letter, false)).isInstanceOf(Handled.Unsafe.class);
        assertThat(acts.onlyLetter(id).status()).isEqualTo(Status.OPEN);
        assertThat(fixture.history(id)).containsExactly("a#1 failed");
        assertThat(acts.reprocess(letter, true)).isInstanceOf(Handled.Done.class);
        assertThat(fixture.history(id)).containsExactly("a#1 failed", "a#2 pending");
    }

    /// E-153, E-161: also not by a step before it.
    @Test
    void a_retry_of_another_step_does_not_repeat_what_is_not_safe() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", Acts.onFailure("b")),
                                        Documents.task("b", ",NOT_SAFE")))
                        .id();
        acts.failForGood("a");
        acts.failForGood("b");
        acts.retry(id, "a", false);
        if (fixture.status(id) == ExecutionStatus.RUNNING) {
            acts.failForGood("a");
        }
        assertThat(fixture.claim("do_b", 1)).isEmpty();
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
        assertThat(fixture.letters(id))
                .filteredOn(letter -> letter.stepId().equals("b"))
                .filteredOn(letter -> letter.status() == Status.OPEN)
                .hasSize(1);
    }

    /// E-136, E-214: a step that is reached again after a retry of an earlier one.
    @Test
    void a_step_that_is_reached_again_goes_on_with_its_numbers() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", Acts.onFailure("b")),
                                        Documents.task("b", "")))
                        .id();
        acts.failForGood("a");
        acts.failForGood("b");
        acts.retry(id, "a", false);
        acts.failForGood("a");
        assertThat(fixture.history(id))
                .containsExactly("a#1 failed", "b#1 failed", "a#2 failed", "b#2 pending");
        acts.failForGood("b");
        assertThat(fixture.letters(id))
                .filteredOn(letter -> letter.status() == Status.OPEN)
                .hasSize(1)
                .allSatisfy(letter -> assertThat(letter.stepId()).isEqualTo("b"));
    }

    /// E-214: what has succeeded is passed over, and decisions lead where they led.
    @Test
    void a_retry_passes_over_what_has_succeeded() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task(
                                                "a", ",\"on_success\":\"d\",\"on_failure\":\"b\""),
                                        Documents.task("b", Acts.next("d")),
                                        Acts.decision("d", Acts.cel("input.n == 1", "c"), "b2"),
                                        Documents.task("b2", ""),
                                        Documents.task("c", "")))
                        .id();
        acts.failForGood("a");
        acts.succeed("do_b");
        acts.failForGood("c");
        acts.retry(id, "a", false);
        acts.succeed("do_a");
        assertThat(fixture.history(id))
                .containsExactly(
                        "a#1 failed",
                        "b#1 succeeded",
                        "d#1 succeeded",
                        "c#1 failed",
                        "a#2 succeeded",
                        "c#2 pending");
    }

    /// E-012, E-214: where no step failed, no step is done again.
    @Test
    void an_execution_whose_output_was_refused_has_no_step_to_retry() {
        UUID id =
                fixture.start(
                                Documents.with(
                                        "\"output_schema\":{\"type\":\"string\"},",
                                        Documents.task("a", "")))
                        .id();
        fixture.fail(fixture.claim("do_a"), "unavailable");
        fixture.later(Duration.ofSeconds(2));
        acts.succeed("do_a");
        assertThat(Objects.requireNonNull(fixture.execution(id).ending().error()).code())
                .isEqualTo("output_schema_violation");
        acts.retry(id);
        assertThat(fixture.history(id)).containsExactly("a#1 failed", "a#2 succeeded");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
        assertThat(fixture.claim("do_a", 1)).isEmpty();
    }

    /// E-221, E-044.
    @Test
    void an_approval_that_came_too_late_is_refused() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Acts.approval("ask", ",\"on_timeout\":\"a\""),
                                        Documents.task("a", "")))
                        .id();
        Approval asked = acts.asked(id);
        fixture.test.clock().advance(Duration.ofMinutes(11));
        assertThat(acts.decide(asked, true)).isInstanceOf(Approvals.Decided.Expired.class);
        fixture.later(Duration.ofSeconds(1));
        assertThat(acts.decide(asked, true)).isInstanceOf(Approvals.Decided.Expired.class);
        assertThat(acts.decide(asked, false)).isInstanceOf(Approvals.Decided.Expired.class);
        assertThat(fixture.history(id)).containsExactly("ask#1 timed_out", "a#1 pending");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.RUNNING);
        assertThat(acts.transitions(id))
                .containsExactly(
                        "null>running", "running>waiting_approval", "waiting_approval>running");
    }

    /// E-223, E-209.
    @Test
    void a_dead_letter_is_reprocessed_once() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        acts.failForGood("a");
        UUID letter = acts.onlyLetter(id).id();
        Handled done = acts.reprocess(letter, false);
        assertThat(((Handled.Done) done).letter().status()).isEqualTo(Status.REPROCESSED);
        assertThat(((Handled.Done) done).step().place().number()).isEqualTo(2);
        assertThat(acts.reprocess(letter, false)).isInstanceOf(Handled.WrongStatus.class);
        assertThat(fixture.history(id)).containsExactly("a#1 failed", "a#2 pending");
        assertThat(audited("orchestration.dlq.reprocess")).isEqualTo(1);
        assertThat(acts.onlyLetter(id).handling().closedBy())
                .isEqualTo("key:" + fixture.person.key());
    }

    /// E-224.
    @Test
    void a_dead_letter_of_an_execution_that_was_canceled_or_succeeded_is_not_reprocessed() {
        UUID canceled = fixture.start(Documents.of(Documents.task("a", ",NOT_SAFE"))).id();
        fixture.claim("do_a");
        acts.cancel(canceled);
        UUID succeeded =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", Acts.onFailure("b")),
                                        Documents.task("b", "")))
                        .id();
        acts.failForGood("a");
        assertThat(acts.onlyLetter(succeeded).status()).isEqualTo(Status.HANDLED);
        acts.succeed("do_b");
        for (UUID id : List.of(canceled, succeeded)) {
            DeadLetter before = acts.onlyLetter(id);
            assertThat(acts.reprocess(before.id(), true)).isInstanceOf(Handled.WrongStatus.class);
            assertThat(acts.onlyLetter(id)).isEqualTo(before);
        }
        assertThat(fixture.claim("do_a", 1)).isEmpty();
    }

    /// E-173, E-174, E-175, E-176, E-178.
    @Test
    void what_is_to_be_reviewed_is_listed_with_what_can_be_done() {
        UUID plain = fixture.start(Documents.of(Documents.task("a", ""))).id();
        acts.failForGood("a");
        UUID half = fixture.start(Documents.of(Acts.undoable("a", "manual", ""))).id();
        acts.failHalfDone("a");
        acts.decide(acts.asked(half), false);
        assertThat(failedExecutions(fixture.account)).containsExactly(half, plain);
        assertThat(failedExecutions(fixture.test.account())).isEmpty();

        assertThat(acts.letter(acts.onlyLetter(plain).id()).actions())
                .containsExactlyInAnyOrder(Action.REPROCESS, Action.RESOLVE);
        assertThat(acts.letter(acts.onlyLetter(half).id()).actions())
                .containsExactlyInAnyOrder(
                        Action.REPROCESS,
                        Action.RESOLVE,
                        Action.COMPENSATE,
                        Action.MARK_COMPENSATED);
        var needed =
                new DeadLetterQuery(
                        fixture.account, null, null, null, null, null, null, true, null, 100);
        assertThat(fixture.engine.deadLetters().list(needed))
                .extracting(letter -> letter.origin().execution())
                .containsExactly(half);

        fixture.engine.deadLetters().closeExecution(fixture.request(plain));
        assertThat(failedExecutions(fixture.account)).containsExactly(half);
        acts.resolve(acts.onlyLetter(plain).id());
        assertThat(acts.letter(acts.onlyLetter(plain).id()).actions()).isEmpty();
        assertThat(acts.resolve(acts.onlyLetter(plain).id()))
                .isInstanceOf(Handled.WrongStatus.class);
    }

    private List<UUID> failedExecutions(UUID account) {
        return fixture.engine.deadLetters().failedExecutions(account, null, 100).stream()
                .map(Execution::id)
                .toList();
    }

    /// E-178, E-223: another account's is not there.
    @Test
    void nobody_acts_on_what_belongs_to_another_account() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        acts.failForGood("a");
        UUID other = fixture.test.account();
        UUID letter = acts.onlyLetter(id).id();
        var request = new DeadLetters.Request(other, letter, fixture.person, "mine");
        assertThat(fixture.engine.deadLetters().get(other, letter)).isNull();
        assertThat(fixture.engine.deadLetters().reprocess(request, true))
                .isInstanceOf(Handled.NotFound.class);
        assertThat(fixture.engine.deadLetters().resolve(request))
                .isInstanceOf(Handled.NotFound.class);
        var verbs = new ExecutionVerbs.Request(other, id, fixture.person, null);
        assertThat(fixture.engine.executions().retry(verbs, null, true))
                .isInstanceOf(Ack.NotFound.class);
        assertThat(fixture.engine.executions().cancel(verbs)).isInstanceOf(Ack.NotFound.class);
        assertThat(fixture.engine.reads().get(other, id, 10)).isNull();
    }
}
