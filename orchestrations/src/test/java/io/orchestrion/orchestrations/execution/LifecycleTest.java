package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.orchestrations.execution.Approvals.Decided;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

/// What people can ask of an execution, by its status.
class LifecycleTest {
    private final OrchestrationFixture fixture = new OrchestrationFixture();
    private final Acts acts = new Acts(fixture);
    private int types;

    /// Verb, status, and what comes of it: `done TO` for a change, `same` where it was so already,
    /// `refused` where nothing changed.
    private static final String VERBS =
            """
            pause   running           done paused
            pause   waiting_approval  refused
            pause   paused            same
            pause   succeeded         refused
            pause   failed            refused
            pause   canceled          refused
            resume  running           same
            resume  waiting_approval  refused
            resume  paused            done running
            resume  succeeded         refused
            resume  failed            refused
            resume  canceled          refused
            cancel  running           done canceled
            cancel  waiting_approval  done canceled
            cancel  paused            done canceled
            cancel  succeeded         refused
            cancel  failed            refused
            cancel  canceled          same
            retry   running           refused
            retry   waiting_approval  refused
            retry   paused            refused
            retry   succeeded         refused
            retry   failed            done running
            retry   canceled          refused
            retry_a running           refused
            retry_a waiting_approval  refused
            retry_a paused            refused
            retry_a succeeded         refused
            retry_a failed            done running
            retry_a canceled          refused
            """;

    @AfterEach
    void close() {
        fixture.close();
    }

    /// E-078, E-079, E-082, E-083, E-084, E-085, E-086, E-087, E-088, E-090, E-091, E-216, E-217.
    @TestFactory
    Stream<DynamicTest> each_verb_changes_what_it_may_change_and_nothing_else() {
        return VERBS.lines()
                .map(line -> line.trim().split("\\s+"))
                .map(
                        row ->
                                DynamicTest.dynamicTest(
                                        row[0] + " " + row[1],
                                        () ->
                                                check(
                                                        row[0],
                                                        row[1],
                                                        row[2],
                                                        row.length > 3 ? row[3] : row[1])));
    }

    private void check(String verb, String status, String answer, String then) {
        UUID id = in(ExecutionStatus.of(status));
        assertThat(fixture.status(id).word()).isEqualTo(status);
        int transitions = acts.transitions(id).size();
        String rows = rows(id);

        Ack ack = ask(verb, id);

        assertThat(fixture.status(id).word()).isEqualTo(then);
        switch (answer) {
            case "done" -> {
                assertThat(ack).isInstanceOf(Ack.Done.class);
                assertThat(((Ack.Done) ack).changed()).isTrue();
                assertThat(((Ack.Done) ack).execution().status().word()).isEqualTo(then);
                assertThat(acts.transitions(id)).hasSize(transitions + 1);
            }
            case "same" -> {
                assertThat(((Ack.Done) ack).changed()).isFalse();
                assertThat(rows(id)).isEqualTo(rows);
            }
            default -> {
                assertThat(ack).isInstanceOf(Ack.WrongStatus.class);
                assertThat(rows(id)).isEqualTo(rows);
            }
        }
    }

    private Ack ask(String verb, UUID id) {
        return switch (verb) {
            case "pause" -> acts.pause(id);
            case "resume" -> acts.resume(id);
            case "cancel" -> acts.cancel(id);
            case "retry" -> acts.retry(id);
            case "retry_a" -> acts.retry(id, "a", false);
            default -> throw new IllegalArgumentException(verb);
        };
    }

    /// All that is stored about it, for the eye that nothing changed.
    private String rows(UUID id) {
        return List.of(
                        "select * from orchestration_execution where id = ?",
                        "select * from orchestration_step where execution_id = ? order by id",
                        "select * from orchestration_approval where execution_id = ? order by id",
                        "select * from orchestration_dead_letter where execution_id = ? order by"
                                + " id",
                        "select id, state, wait_reason from work where owner_id = ? order by id",
                        "select subject_id, seq, event from subject_event where subject_id = ?"
                                + " order by seq")
                .stream()
                .map(sql -> fixture.test.database().rows(sql, id).toString())
                .toList()
                .toString();
    }

    /// A new execution that is in this status.
    private UUID in(ExecutionStatus status) {
        // A worker's type of its own, as items of other executions are left open.
        String type = "work_" + types++;
        String task = Documents.step("a", "task", ",\"handler\":\"task:" + type + "\"");
        if (status == ExecutionStatus.WAITING_APPROVAL) {
            return fixture.start(Documents.of(Acts.approval("a", ""))).id();
        }
        UUID id = fixture.start(Documents.of(task)).id();
        switch (status) {
            case PAUSED -> acts.pause(id);
            case SUCCEEDED -> acts.succeed(type);
            case FAILED -> fixture.fail(fixture.claim(type), "validation_failed");
            case CANCELED -> acts.cancel(id);
            case RUNNING, WAITING_APPROVAL -> {}
        }
        return id;
    }

    /// E-036, E-076, E-077, E-218.
    @Test
    void an_approval_stops_everything_until_somebody_approves() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Acts.approval("ask", Acts.next("a")),
                                        Documents.task("a", "")))
                        .id();
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.WAITING_APPROVAL);
        assertThat(fixture.history(id)).containsExactly("ask#1 awaiting_approval");
        assertThat(fixture.claim("do_a", 1)).isEmpty();

        Decided decided = acts.decide(acts.asked(id), true);

        assertThat(decided).isInstanceOf(Decided.Done.class);
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.RUNNING);
        assertThat(fixture.step(id, "ask", 1).ended().result())
                .contains("\"approved\":true", "key:" + fixture.person.key());
        acts.succeed("do_a");
        assertThat(acts.transitions(id))
                .containsExactly(
                        "null>running",
                        "running>waiting_approval",
                        "waiting_approval>running",
                        "running>succeeded");
        assertThat(acts.openItems(id)).isZero();
    }

    /// E-090, E-219: nothing leads from waiting to failed directly.
    @Test
    void a_refusal_passes_through_running_and_takes_the_way_of_failures() {
        UUID alone = fixture.start(Documents.of(Acts.approval("ask", ""))).id();
        UUID routed =
                fixture.start(
                                Documents.of(
                                        Acts.approval("ask", Acts.onFailure("a")),
                                        Documents.task("a", "")))
                        .id();
        acts.decide(acts.asked(alone), false);
        acts.decide(acts.asked(routed), false);

        assertThat(acts.transitions(alone))
                .containsExactly(
                        "null>running",
                        "running>waiting_approval",
                        "waiting_approval>running",
                        "running>failed");
        assertThat(Objects.requireNonNull(fixture.execution(alone).ending().error()).code())
                .isEqualTo("approval_rejected");
        assertThat(fixture.history(routed)).containsExactly("ask#1 failed", "a#1 pending");
        assertThat(fixture.status(routed)).isEqualTo(ExecutionStatus.RUNNING);
        assertThat(acts.openItems(alone)).isZero();
    }

    /// E-220: the same word of the same person changes nothing, any other word comes too late.
    @Test
    void what_is_decided_stays_decided() {
        var other = new Person(UUID.randomUUID(), "other");
        for (boolean first : List.of(true, false)) {
            UUID id = fixture.start(Documents.of(Acts.approval("ask", ""))).id();
            Approval asked = acts.asked(id);
            acts.decide(asked, first);
            String rows = rows(id);

            Decided again = acts.decide(asked, first);
            assertThat(((Decided.Done) again).repeated()).isTrue();
            assertThat(acts.decide(asked, !first)).isInstanceOf(Decided.Already.class);
            assertThat(acts.decide(other, asked, first)).isInstanceOf(Decided.Already.class);
            assertThat(acts.decide(other, asked, !first)).isInstanceOf(Decided.Already.class);
            assertThat(rows(id)).isEqualTo(rows);
        }
    }

    /// E-218: of two who decide at once, one has decided.
    @Test
    void an_approval_is_decided_once_by_many_at_once() {
        UUID id = fixture.start(Documents.of(Acts.approval("ask", ""))).id();
        Approval asked = acts.asked(id);
        List<Decided> all =
                Parallel.run(
                        8,
                        i ->
                                () ->
                                        acts.decide(
                                                new Person(UUID.randomUUID(), "p" + i),
                                                asked,
                                                i % 2 == 0));
        assertThat(all).filteredOn(Decided.Done.class::isInstance).hasSize(1);
        assertThat(all).filteredOn(Decided.Already.class::isInstance).hasSize(7);
        assertThat(acts.transitions(id)).hasSize(4);
    }

    /// E-096: an execution has one end, whoever is first.
    @Test
    void a_cancel_and_the_last_completion_end_an_execution_once() {
        for (int round = 0; round < 6; round++) {
            UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
            WorkItem held = fixture.claim("do_a");
            List<Object> both =
                    Parallel.run(
                            2, i -> () -> i == 0 ? acts.cancel(id) : fixture.complete(held, "{}"));

            boolean canceled = both.get(0) instanceof Ack.Done;
            boolean completed = both.get(1) instanceof io.orchestrion.kernel.work.Ack.Applied;
            assertThat(canceled).isNotEqualTo(completed);
            assertThat(fixture.status(id))
                    .isEqualTo(canceled ? ExecutionStatus.CANCELED : ExecutionStatus.SUCCEEDED);
            assertThat(acts.transitions(id)).hasSize(2);
        }
    }

    /// E-053: the row says when it ended, with the status, and the database holds it to that.
    @Test
    void an_execution_has_an_end_when_it_is_over_and_not_before() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        assertThat(fixture.execution(id).times().completedMs()).isNull();
        acts.failForGood("a");
        assertThat(fixture.execution(id).times().completedMs()).isNotNull();
        acts.retry(id);
        assertThat(fixture.execution(id).times().completedMs()).isNull();
        assertThat(fixture.execution(id).attemptCount()).isEqualTo(2);
        acts.succeed("do_a");
        assertThat(fixture.execution(id).times().completedMs()).isNotNull();
    }
}
