package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.orchestrations.execution.ExecutionReads.Blocked;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/// What GET of an execution is made from.
class ReadsTest {
    private final OrchestrationFixture fixture = new OrchestrationFixture();
    private final Acts acts = new Acts(fixture);

    @AfterEach
    void close() {
        fixture.close();
    }

    /// `on step` of each.
    private List<String> blocked(UUID id) {
        return fixture.seen(id).blockedOn().stream()
                .map(each -> each.on() + (each.stepId() == null ? "" : " " + each.stepId()))
                .toList();
    }

    private Blocked only(UUID id) {
        assertThat(fixture.seen(id).blockedOn()).hasSize(1);
        return fixture.seen(id).blockedOn().getFirst();
    }

    /// E-191: unclaimed_work, leased_work, retry_wait.
    @Test
    void work_is_waited_for_until_a_worker_has_it_and_then_for_the_worker() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        assertThat(blocked(id)).containsExactly("UNCLAIMED_WORK a");
        assertThat(only(id).id()).isEqualTo(fixture.step(id, "a", 1).id());
        var held = fixture.claim("do_a");
        assertThat(blocked(id)).containsExactly("LEASED_WORK a");
        assertThat(only(id).id()).isEqualTo(held.id());
        fixture.fail(held, "unavailable");
        StepAttempt next = fixture.step(id, "a", 2);
        assertThat(blocked(id)).containsExactly("RETRY_WAIT a");
        assertThat(only(id).untilMs()).isEqualTo(next.times().retryAfterMs());
        fixture.later(Duration.ofSeconds(2));
        assertThat(blocked(id)).containsExactly("UNCLAIMED_WORK a");
        acts.succeed("do_a");
        assertThat(blocked(id)).isEmpty();
    }

    /// E-191: timer, approval.
    @Test
    void time_and_people_are_named_where_they_are_waited_for() {
        UUID waiting = fixture.start(Documents.of(Acts.await("w", 60_000, ""))).id();
        assertThat(blocked(waiting)).containsExactly("TIMER w");
        assertThat(only(waiting).id()).isEqualTo(fixture.step(waiting, "w", 1).id());
        // When the wait is over, and not when the time of its step would be.
        Long began = fixture.step(waiting, "w", 1).times().startedMs();
        assertThat(only(waiting).untilMs()).isEqualTo(began + 60_000);
        UUID asking = fixture.start(Documents.of(Acts.approval("ask", ""))).id();
        assertThat(blocked(asking)).containsExactly("APPROVAL ask");
        assertThat(only(asking).id()).isEqualTo(acts.asked(asking).id());
        assertThat(only(asking).untilMs()).isEqualTo(acts.asked(asking).question().dueMs());
    }

    /// E-191: compensation, and an approval of one.
    @Test
    void an_execution_that_undoes_a_step_says_so() {
        UUID auto = fixture.start(Documents.of(Acts.undoable("a", "auto", ""))).id();
        acts.failHalfDone("a");
        assertThat(blocked(auto)).containsExactly("COMPENSATION a");
        fixture.claim("undo_a");
        assertThat(blocked(auto)).containsExactly("COMPENSATION a");
        UUID manual = fixture.start(Documents.of(Acts.undoable("a", "manual", ""))).id();
        acts.failHalfDone("a");
        assertThat(blocked(manual)).containsExactly("APPROVAL a");
    }

    /// E-191: paused.
    @Test
    void a_paused_execution_says_so_beside_what_it_waits_for() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        acts.pause(id);
        assertThat(blocked(id)).containsExactly("PAUSED", "UNCLAIMED_WORK a");
        acts.cancel(id);
        assertThat(blocked(id)).isEmpty();
    }

    /// E-188, E-189, E-190, E-057.
    @Test
    void the_history_shows_what_ran_what_failed_and_what_was_retried() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        fixture.fail(
                fixture.claim("do_a"),
                new io.orchestrion.kernel.work.WorkError(
                        "unavailable", 503, "password=hunter2 is wrong", null, null));
        fixture.later(Duration.ofSeconds(2));
        acts.succeed("do_a");
        StepAttempt first = fixture.step(id, "a", 1);
        StepError error = Objects.requireNonNull(first.ended().error());
        assertThat(error.errorClass().name()).isEqualTo("TRANSIENT");
        assertThat(error.code()).isEqualTo("unavailable");
        assertThat(error.httpStatus()).isEqualTo(503);
        assertThat(error.summary()).doesNotContain("hunter2");
        assertThat(first.times().startedMs()).isNotNull();
        assertThat(first.times().finishedMs()).isNotNull();
        StepAttempt second = fixture.step(id, "a", 2);
        assertThat(second.times().retryAfterMs()).isNotNull();
        assertThat(second.ended().result()).isEqualTo("{\"by\":\"do_a\"}");
        assertThat(fixture.seen(id).transitions())
                .extracting(line -> line.event().event())
                .containsExactly("started", "succeeded");
    }

    /// E-058, E-206, E-209: who did it and why.
    @Test
    void transitions_say_who_and_why() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        acts.pause(id);
        String data = fixture.seen(id).transitions().getLast().event().data();
        assertThat(data).contains("key:" + fixture.person.key()).contains("because");
        String first = fixture.seen(id).transitions().getFirst().event().data();
        assertThat(first).contains("\"engine\"");
    }

    /// E-049, E-054: filters, and one correlation id everywhere.
    @Test
    void executions_are_found_by_what_they_are_about() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        assertThat(found("invoice", "17", "order-7")).containsExactly(id);
        assertThat(found("invoice", "18", null)).isEmpty();
        assertThat(found(null, null, "order-8")).isEmpty();
        assertThat(
                        fixture.test
                                .database()
                                .rows(
                                        "select distinct correlation_id from work where owner_id ="
                                                + " ?",
                                        id)
                                .toString())
                .isEqualTo("[{correlation_id=order-7}]");
    }

    private List<UUID> found(String type, String target, String correlation) {
        return fixture
                .engine
                .reads()
                .list(
                        new ExecutionQuery(
                                fixture.account, null, null, type, target, correlation, null, 10))
                .stream()
                .map(Execution::id)
                .toList();
    }
}
