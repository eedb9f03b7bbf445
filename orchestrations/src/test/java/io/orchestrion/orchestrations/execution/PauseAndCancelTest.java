package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.retry.FailureDecision.Reason;
import io.orchestrion.kernel.work.Ack.Applied;
import io.orchestrion.kernel.work.Ack.Refused;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.orchestrations.execution.DeadLetter.Compensation;
import io.orchestrion.orchestrations.execution.DeadLetters.Action;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Objects;
import java.util.UUID;

class PauseAndCancelTest {
    private final OrchestrationFixture fixture = new OrchestrationFixture();
    private final Acts acts = new Acts(fixture);

    /// CB-008.
    @Test
    void a_worker_that_has_a_step_is_asked_to_pause_and_to_go_on() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        WorkItem held = fixture.claim("do_a");
        assertThat(askedToPause(held)).isFalse();

        fixture.engine.executions().pause(fixture.request(id));
        assertThat(askedToPause(held)).isTrue();

        fixture.engine.executions().resume(fixture.request(id));
        assertThat(askedToPause(held)).isFalse();

        fixture.engine.executions().pause(fixture.request(id));
        assertThat(fixture.complete(held, "{}"))
                .as("its report counts all the same")
                .isInstanceOf(Applied.class);
    }

    private boolean askedToPause(WorkItem held) {
        return fixture.test
                .database()
                .value("select coalesce(pause_requested, false) from work where id = ?", held.id());
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /// E-092: nobody gets what nobody has.
    @Test
    void a_pause_withholds_what_nobody_has_until_it_is_over() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        acts.pause(id);
        assertThat(fixture.claim("do_a", 1)).isEmpty();
        acts.resume(id);
        acts.succeed("do_a");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.SUCCEEDED);
    }

    /// E-089, E-092, E-079: the result is kept, and nothing follows before the resume.
    @Test
    void what_somebody_has_is_finished_during_a_pause_and_followed_up_afterwards() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", Acts.next("b")),
                                        Documents.task("b", "")))
                        .id();
        WorkItem a = fixture.claim("do_a");
        acts.pause(id);
        fixture.complete(a, "{\"x\":1}");

        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.PAUSED);
        assertThat(fixture.history(id)).containsExactly("a#1 succeeded");
        assertThat(fixture.step(id, "a", 1).ended().result()).isEqualTo("{\"x\":1}");
        acts.resume(id);
        assertThat(fixture.history(id)).containsExactly("a#1 succeeded", "b#1 pending");
    }

    /// E-089: neither succeeded nor failed nor waiting while it is paused.
    @Test
    void the_end_of_an_execution_waits_for_the_end_of_its_pause() {
        UUID good = fixture.start(Documents.of(Documents.task("a", ""))).id();
        fixture.complete(pausedWhileHeld(good), "{}");
        UUID bad = fixture.start(Documents.of(Documents.task("a", ""))).id();
        fixture.fail(pausedWhileHeld(bad), "validation_failed");
        UUID asking =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", Acts.next("ask")),
                                        Acts.approval("ask", "")))
                        .id();
        fixture.complete(pausedWhileHeld(asking), "{}");

        for (UUID id : java.util.List.of(good, bad, asking)) {
            assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.PAUSED);
            acts.resume(id);
        }
        assertThat(fixture.status(good)).isEqualTo(ExecutionStatus.SUCCEEDED);
        assertThat(acts.transitions(good))
                .containsExactly(
                        "null>running", "running>paused", "paused>running", "running>succeeded");
        assertThat(fixture.status(bad)).isEqualTo(ExecutionStatus.FAILED);
        assertThat(acts.onlyLetter(bad).reason()).isEqualTo(Reason.NON_RETRYABLE);
        assertThat(fixture.status(asking)).isEqualTo(ExecutionStatus.WAITING_APPROVAL);
    }

    private WorkItem pausedWhileHeld(UUID id) {
        WorkItem held = fixture.claim("do_a");
        acts.pause(id);
        return held;
    }

    /// E-089: a retry is dispatched after the resume only, and not before its time.
    @Test
    void a_failure_during_a_pause_is_retried_after_it() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        fixture.fail(pausedWhileHeld(id), "unavailable");
        assertThat(fixture.history(id)).containsExactly("a#1 failed");
        acts.resume(id);
        assertThat(fixture.history(id)).containsExactly("a#1 failed", "a#2 retrying");
        fixture.later(Duration.ofSeconds(2));
        acts.succeed("do_a");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.SUCCEEDED);
    }

    /// E-033, E-089: time goes on during a pause, what it leads to waits.
    @Test
    void a_wait_that_is_over_during_a_pause_goes_on_afterwards() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Acts.await("w", 5_000, Acts.next("a")),
                                        Documents.task("a", "")))
                        .id();
        acts.pause(id);
        fixture.later(Duration.ofSeconds(6));
        assertThat(fixture.history(id)).containsExactly("w#1 succeeded");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.PAUSED);
        acts.resume(id);
        assertThat(fixture.history(id)).containsExactly("w#1 succeeded", "a#1 pending");
    }

    /// E-044, E-089: the step's whole time is over before anybody got its next attempt.
    @Test
    void a_retry_whose_step_has_no_time_left_during_a_pause_takes_the_way_of_timeouts_afterwards() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", ",\"on_timeout\":\"b\""),
                                        Documents.task("b", "")))
                        .id();
        fixture.fail(fixture.claim("do_a"), "unavailable");
        acts.pause(id);
        fixture.later(Duration.ofMinutes(11));
        assertThat(fixture.history(id)).containsExactly("a#1 failed", "a#2 skipped");
        acts.resume(id);
        assertThat(fixture.history(id)).containsExactly("a#1 failed", "a#2 skipped", "b#1 pending");
    }

    /// E-092: what is made ready by time is withheld as well.
    @Test
    void a_retry_whose_time_comes_during_a_pause_is_withheld() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        fixture.fail(fixture.claim("do_a"), "unavailable");
        acts.pause(id);
        fixture.later(Duration.ofSeconds(10));
        assertThat(fixture.claim("do_a", 1)).isEmpty();
        acts.resume(id);
        assertThat(fixture.claim("do_a", 1)).hasSize(1);
    }

    /// E-075, E-093.
    @Test
    void a_cancel_skips_what_nobody_has() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        acts.cancel(id);
        assertThat(fixture.history(id)).containsExactly("a#1 skipped");
        assertThat(fixture.claim("do_a", 1)).isEmpty();
        assertThat(acts.openItems(id)).isZero();
        assertThat(fixture.letters(id)).isEmpty();
    }

    /// E-093: the holder is told, and its late report is kept as evidence and changes nothing.
    @Test
    void a_cancel_revokes_what_somebody_has_and_keeps_what_comes_late() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        WorkItem held = fixture.claim("do_a");
        acts.cancel(id);

        assertThat(fixture.history(id)).containsExactly("a#1 failed");
        assertThat(Objects.requireNonNull(fixture.step(id, "a", 1).ended().error()).code())
                .isEqualTo("execution_canceled");
        assertThat(refusal(fixture.heartbeat(held))).isInstanceOf(Refusal.Revoked.class);
        assertThat(refusal(fixture.complete(held, "{\"late\":17}")))
                .isInstanceOf(Refusal.Revoked.class);
        assertThat(fixture.step(id, "a", 1).ended().result()).isNull();
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.CANCELED);
        String history =
                fixture.test
                        .database()
                        .value("select history from work where id = ?", held.id())
                        .toString();
        assertThat(history).contains("late");
        assertThat(fixture.letters(id)).isEmpty();
    }

    private static Refusal refusal(io.orchestrion.kernel.work.Ack ack) {
        assertThat(ack).isInstanceOf(Refused.class);
        return ((Refused) ack).refusal();
    }

    /// E-093, CB-013: nobody knows what the step has done.
    @Test
    void a_cancel_of_a_step_under_way_that_is_not_safe_leaves_something_to_review() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ",NOT_SAFE"))).id();
        fixture.claim("do_a");
        acts.cancel(id);
        DeadLetter letter = acts.onlyLetter(id);
        assertThat(letter.status()).isEqualTo(DeadLetter.Status.OPEN);
        assertThat(letter.error().errorClass()).isEqualTo(ErrorClass.COMPENSATION_REQUIRED);
        assertThat(letter.handling().action()).isEqualTo("manual_compensation");
    }

    /// E-093, E-131: it was known that half of it was done.
    @Test
    void a_cancel_after_half_a_step_was_done_during_a_pause_leaves_something_to_review() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        fixture.fail(pausedWhileHeld(id), Acts.PARTIAL);
        assertThat(fixture.letters(id)).isEmpty();
        acts.cancel(id);
        assertThat(acts.onlyLetter(id).handling().action()).isEqualTo("manual_compensation");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.CANCELED);
    }

    /// E-083, E-089: what ended during the pause is followed by nothing.
    @Test
    void a_cancel_of_a_paused_execution_overtakes_what_had_ended() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", Acts.next("b")),
                                        Documents.task("b", "")))
                        .id();
        fixture.complete(pausedWhileHeld(id), "{}");
        acts.cancel(id);
        assertThat(fixture.history(id)).containsExactly("a#1 succeeded");
        assertThat(fixture.step(id, "a", 1).ended().decision()).contains("execution_canceled");
        assertThat(fixture.claim("do_b", 1)).isEmpty();
    }

    /// E-084: nobody is asked any more.
    @Test
    void a_cancel_takes_back_what_people_were_asked() {
        UUID id = fixture.start(Documents.of(Acts.approval("ask", ""))).id();
        Approval asked = acts.asked(id);
        acts.cancel(id);
        assertThat(fixture.pending()).isEmpty();
        assertThat(fixture.history(id)).containsExactly("ask#1 skipped");
        assertThat(acts.decide(asked, true)).isInstanceOf(Approvals.Decided.Already.class);
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.CANCELED);
        assertThat(acts.openItems(id)).isZero();
    }

    /// E-093, E-171: the handler was stopped, so that a person has to look.
    @Test
    void a_cancel_while_a_step_is_being_undone_leaves_that_to_a_person() {
        UUID id = fixture.start(Documents.of(Acts.undoable("a", "auto", ""))).id();
        acts.failHalfDone("a");
        WorkItem undo = fixture.claim("undo_a");
        acts.cancel(id);

        assertThat(refusal(fixture.complete(undo, "{}"))).isInstanceOf(Refusal.Revoked.class);
        DeadLetter letter = acts.onlyLetter(id);
        assertThat(letter.status()).isEqualTo(DeadLetter.Status.OPEN);
        assertThat(letter.handling().compensation()).isEqualTo(Compensation.NEEDED);
        assertThat(acts.letter(letter.id()).actions())
                .containsExactlyInAnyOrder(Action.MARK_COMPENSATED, Action.RESOLVE);
        assertThat(acts.mark(letter.id())).isInstanceOf(DeadLetters.Handled.Done.class);
        assertThat(acts.onlyLetter(id).status()).isEqualTo(DeadLetter.Status.RESOLVED);
    }

    /// E-084, E-171.
    @Test
    void a_cancel_while_a_person_is_asked_whether_to_undo_leaves_that_open() {
        UUID id = fixture.start(Documents.of(Acts.undoable("a", "manual", ""))).id();
        acts.failHalfDone("a");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.WAITING_APPROVAL);
        acts.cancel(id);
        assertThat(acts.onlyLetter(id).handling().action()).isEqualTo("manual_compensation");
        assertThat(fixture.pending()).isEmpty();
    }

    /// E-093, E-156: a guard that is under way is stopped, and the step is not done again.
    @Test
    void a_cancel_while_a_guard_is_asked_ends_the_guard() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", ",\"guard_handler\":\"task:look_a\"")))
                        .id();
        fixture.fail(fixture.claim("do_a"), "unavailable");
        fixture.later(Duration.ofSeconds(2));
        WorkItem guard = fixture.claim("look_a");
        acts.cancel(id);
        assertThat(refusal(fixture.complete(guard, "{\"completed\":false}")))
                .isInstanceOf(Refusal.Revoked.class);
        assertThat(fixture.history(id)).containsExactly("a#1 failed", "a guard#2 failed");
        assertThat(fixture.claim("do_a", 1)).isEmpty();
        assertThat(acts.openItems(id)).isZero();
    }
}
