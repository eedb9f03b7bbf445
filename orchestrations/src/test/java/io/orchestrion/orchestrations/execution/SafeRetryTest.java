package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.WorkItem;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// What stands between a failed attempt and the next one, by itself and by hand.
class SafeRetryTest {
    private static final String QUICK =
            Documents.retry(3, "fixed", 1000, 1000, 20_000) + ",\"lease_seconds\":30";
    private static final String GUARDED = QUICK + ",\"guard_handler\":\"task:check\"";

    private final OrchestrationFixture fixture = new OrchestrationFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private UUID start(String... steps) {
        return fixture.start(Documents.of(steps)).id();
    }

    private WorkItem next(String type) {
        fixture.later(Duration.ofSeconds(2));
        return fixture.claim(type);
    }

    /// E-156.
    @Test
    void a_guard_that_finds_the_step_done_gives_its_result_and_nobody_is_called_again() {
        UUID id =
                start(
                        Documents.task("a", GUARDED + ",\"on_success\":\"b\""),
                        Documents.task("b", ",\"input\":{\"$ref\":\"$.steps.a.result\"}"));
        fixture.fail(fixture.claim("do_a"), "connect_failed");

        fixture.complete(next("check"), "{\"completed\":true,\"result\":{\"charged\":9}}");

        assertThat(fixture.history(id))
                .containsExactly(
                        "a#1 failed", "a guard#2 succeeded", "a#2 succeeded", "b#1 pending");
        assertThat(fixture.step(id, "a", 2).ended().result()).isEqualTo("{\"charged\":9}");
        assertThat(fixture.claim("do_a", 1)).isEmpty();
        assertThat(fixture.letters(id)).isEmpty();
    }

    /// E-157, E-144.
    @Test
    void a_guard_that_finds_nothing_done_lets_the_step_be_tried_again_each_time() {
        UUID id = start(Documents.task("a", GUARDED));
        fixture.fail(fixture.claim("do_a"), "connect_failed");
        fixture.complete(next("check"), "{\"completed\":false}");
        fixture.fail(fixture.claim("do_a"), "connect_failed");
        fixture.complete(next("check"), "{\"completed\":false}");
        fixture.fail(fixture.claim("do_a"), "connect_failed");

        assertThat(fixture.history(id))
                .containsExactly(
                        "a#1 failed",
                        "a guard#2 succeeded",
                        "a#2 failed",
                        "a guard#3 succeeded",
                        "a#3 failed");
        assertThat(fixture.letters(id).getFirst().reason().word()).isEqualTo("attempts_exhausted");
        assertThat(fixture.steps(id))
                .extracting(step -> step.key().value())
                .containsOnly(fixture.steps(id).getFirst().key().value());
    }

    /// E-157. What is no answer is not the answer that it is done.
    @Test
    void a_guard_that_does_not_say_done_has_not_found_it_done() {
        for (String answer : List.of("{}", "{\"completed\":\"yes\"}", "[true]", "null", "true")) {
            UUID id = start(Documents.task("a", GUARDED));
            fixture.fail(fixture.claim("do_a"), "connect_failed");
            fixture.complete(next("check"), answer);
            assertThat(fixture.history(id))
                    .as(answer)
                    .containsExactly("a#1 failed", "a guard#2 succeeded", "a#2 pending");
            fixture.engine.executions().cancel(fixture.request(id));
        }
    }

    /// E-158. By its word, by silence, and by its time; whatever its error says.
    @Test
    void a_guard_that_fails_sends_the_step_to_review_and_is_not_repeated() {
        for (String way : List.of("connect_failed", "validation_failed", "time")) {
            UUID id =
                    start(
                            Documents.task(
                                    "a",
                                    GUARDED + ",\"on_failure\":\"after\",\"on_timeout\":\"after\""),
                            Documents.task("after", ""));
            fixture.fail(fixture.claim("do_a"), "connect_failed");
            WorkItem guard = next("check");
            if (way.equals("time")) {
                fixture.later(Duration.ofSeconds(31));
            } else {
                fixture.fail(guard, way);
            }

            assertThat(fixture.history(id))
                    .as(way)
                    .containsExactly(
                            "a#1 failed",
                            way.equals("time") ? "a guard#2 timed_out" : "a guard#2 failed");
            assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
            DeadLetter letter = fixture.letters(id).getFirst();
            assertThat(letter.reason().word()).isEqualTo("guard_failed");
            assertThat(letter.status()).isEqualTo(DeadLetter.Status.OPEN);
        }
    }

    /// E-153, E-154. The work is not handed out again, however often anybody looks.
    @Test
    void a_step_that_is_not_safe_to_repeat_is_never_handed_out_again() {
        for (String way : List.of("connect_failed", "lease", "rate_limited")) {
            UUID id = start(Documents.task("a", QUICK + ",NOT_SAFE"));
            WorkItem held = fixture.claim("do_a");
            if (way.equals("lease")) {
                fixture.later(Duration.ofSeconds(31));
            } else {
                fixture.fail(held, way);
            }
            for (int i = 0; i < 5; i++) {
                fixture.later(Duration.ofMinutes(10));
            }
            assertThat(fixture.claim("do_a", 10)).isEmpty();
            assertThat(fixture.steps(id)).hasSize(1);
            assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
        }
    }

    /// E-161.
    @Test
    void a_retry_by_hand_of_an_unsafe_step_has_to_be_confirmed() {
        UUID id = start(Documents.task("a", QUICK + ",NOT_SAFE"));
        fixture.fail(fixture.claim("do_a"), "connect_failed");
        DeadLetter letter = fixture.letters(id).getFirst();
        var asked = new DeadLetters.Request(fixture.account, letter.id(), fixture.person, "again");

        assertThat(fixture.engine.executions().retry(fixture.request(id), null, false))
                .isInstanceOf(Ack.Unsafe.class);
        assertThat(fixture.engine.executions().retry(fixture.request(id), "a", false))
                .isInstanceOf(Ack.Unsafe.class);
        assertThat(fixture.engine.deadLetters().reprocess(asked, false))
                .isInstanceOf(DeadLetters.Handled.Unsafe.class);
        assertThat(fixture.history(id)).containsExactly("a#1 failed");
        assertThat(fixture.letters(id).getFirst().status()).isEqualTo(DeadLetter.Status.OPEN);
        assertThat(fixture.claim("do_a", 1)).isEmpty();

        assertThat(fixture.engine.executions().retry(fixture.request(id), null, true))
                .isInstanceOf(Ack.Done.class);
        assertThat(fixture.history(id)).containsExactly("a#1 failed", "a#2 pending");
        assertThat(fixture.letters(id).getFirst().status())
                .isEqualTo(DeadLetter.Status.REPROCESSED);
    }

    /// E-156, E-158. A retry by hand is an attempt like any other.
    @Test
    void a_retry_by_hand_of_a_guarded_step_asks_the_guard_first() {
        UUID id = start(Documents.task("a", GUARDED));
        fixture.fail(fixture.claim("do_a"), "connect_failed");
        fixture.fail(next("check"), "connect_failed");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);

        assertThat(fixture.engine.executions().retry(fixture.request(id), null, false))
                .isInstanceOf(Ack.Done.class);

        assertThat(fixture.claim("do_a", 1)).isEmpty();
        fixture.complete(fixture.claim("check"), "{\"completed\":true,\"result\":5}");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.SUCCEEDED);
        assertThat(fixture.execution(id).ending().output()).isEqualTo("5");
    }

    /// E-153, E-161. The way of a restarted execution may lead to a step that is not safe to
    /// repeat,
    /// which nobody has spoken of.
    @Test
    void a_restart_does_not_repeat_an_unsafe_step_on_its_way() {
        UUID id =
                start(
                        Documents.task("a", QUICK + ",\"on_failure\":\"b\""),
                        Documents.task("b", QUICK + ",NOT_SAFE"));
        fixture.fail(fixture.claim("do_a"), "validation_failed");
        fixture.claim("do_b");
        fixture.later(Duration.ofSeconds(31));
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);

        assertThat(fixture.engine.executions().retry(fixture.request(id), "a", false))
                .isInstanceOf(Ack.Done.class);
        fixture.fail(fixture.claim("do_a"), "validation_failed");

        assertThat(fixture.claim("do_b", 1)).isEmpty();
        assertThat(fixture.history(id))
                .containsExactly("a#1 failed", "b#1 timed_out", "a#2 failed", "b#2 skipped");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
        assertThat(fixture.letters(id))
                .filteredOn(letter -> letter.stepId().equals("b"))
                .extracting(letter -> letter.status().word())
                .containsExactly("open");

        assertThat(fixture.engine.executions().retry(fixture.request(id), null, false))
                .isInstanceOf(Ack.Unsafe.class);
        fixture.engine.executions().retry(fixture.request(id), null, true);
        fixture.complete(fixture.claim("do_b"), "{}");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.SUCCEEDED);
    }

    /// E-135, E-136. The step on the way had failed before, and its dead letter was still open.
    @Test
    void a_restart_may_fail_again_at_a_step_whose_dead_letter_is_open() {
        UUID id =
                start(
                        Documents.task("a", QUICK + ",\"on_failure\":\"b\""),
                        Documents.task("b", QUICK));
        fixture.fail(fixture.claim("do_a"), "validation_failed");
        fixture.fail(fixture.claim("do_b"), "validation_failed");

        fixture.engine.executions().retry(fixture.request(id), "a", false);
        fixture.fail(fixture.claim("do_a"), "validation_failed");
        fixture.fail(fixture.claim("do_b"), "validation_failed");

        assertThat(fixture.history(id))
                .containsExactly("a#1 failed", "b#1 failed", "a#2 failed", "b#2 failed");
        assertThat(fixture.letters(id))
                .extracting(letter -> letter.stepId() + " " + letter.status().word())
                .containsExactlyInAnyOrder("a handled", "b reprocessed", "a handled", "b open");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
    }
}
