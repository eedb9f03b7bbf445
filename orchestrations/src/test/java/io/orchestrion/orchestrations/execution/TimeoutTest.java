package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Objects;
import java.util.UUID;

/// Times of attempts and of whole steps: what bounds them, what ends with them, and where an
/// execution goes then.
class TimeoutTest {
    private static final String ROUTES = ",\"on_failure\":\"failed\",\"on_timeout\":\"late\"";

    private final OrchestrationFixture fixture = new OrchestrationFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private UUID start(String... steps) {
        return fixture.start(Documents.of(steps)).id();
    }

    private static String patient(long eachMs) {
        return Documents.retry(3, "fixed", 1000, 1000, eachMs) + ",\"lease_seconds\":30";
    }

    private String letter(UUID id) {
        return fixture.letters(id).getFirst().reason().word();
    }

    /// E-112, E-127. The time of an attempt is shorter than its lease here.
    @Test
    void an_attempt_that_passes_its_time_has_timed_out_and_its_worker_is_refused() {
        UUID id = start(Documents.task("a", patient(10_000)));
        WorkItem held = fixture.claim("do_a");

        fixture.later(Duration.ofSeconds(11));

        assertThat(fixture.history(id)).containsExactly("a#1 timed_out", "a#2 retrying");
        assertThat(fixture.complete(held, "{}")).isInstanceOf(Ack.Refused.class);
        assertThat(fixture.heartbeat(held)).isInstanceOf(Ack.Refused.class);
        assertThat(fixture.history(id)).containsExactly("a#1 timed_out", "a#2 retrying");
        fixture.later(Duration.ofSeconds(2));
        fixture.complete(fixture.claim("do_a"), "{}");
        assertThat(fixture.history(id)).containsExactly("a#1 timed_out", "a#2 succeeded");
    }

    /// E-128.
    @Test
    void heartbeats_renew_a_lease_and_never_past_the_end_of_the_attempt() {
        UUID id = start(Documents.task("a", patient(45_000)));
        WorkItem held = fixture.claim("do_a");
        long deadline = Objects.requireNonNull(held.lease().deadlineMs());

        fixture.later(Duration.ofSeconds(25));
        var renewed = (Ack.Applied) fixture.heartbeat(held);
        assertThat(renewed.item().lease().untilMs()).isEqualTo(deadline);
        fixture.later(Duration.ofSeconds(15));
        var again = (Ack.Applied) fixture.heartbeat(held);
        assertThat(again.item().lease().untilMs()).isEqualTo(deadline);
        assertThat(fixture.history(id)).containsExactly("a#1 running");

        fixture.later(Duration.ofSeconds(6));
        assertThat(fixture.heartbeat(held)).isInstanceOf(Ack.Refused.class);
        assertThat(fixture.history(id)).containsExactly("a#1 timed_out", "a#2 retrying");
    }

    /// E-112. Two attempts that keep within their own time pass that of the step together.
    @Test
    void the_time_of_the_step_ends_an_attempt_that_has_time_left() {
        UUID id =
                start(
                        Documents.within(60_000, Documents.task("a", patient(40_000) + ROUTES)),
                        Documents.task("failed", ""),
                        Documents.task("late", ""));
        WorkItem first = fixture.claim("do_a");
        fixture.later(Duration.ofSeconds(20));
        fixture.heartbeat(first);
        fixture.later(Duration.ofSeconds(19));
        fixture.fail(first, "connect_failed");
        fixture.later(Duration.ofSeconds(2));
        WorkItem second = fixture.claim("do_a");
        assertThat(second.lease().deadlineMs())
                .isEqualTo(fixture.step(id, "a", 1).times().deadlineMs());

        fixture.later(Duration.ofSeconds(20));

        assertThat(fixture.history(id))
                .containsExactly("a#1 failed", "a#2 timed_out", "late#1 pending");
        assertThat(fixture.complete(second, "{}")).isInstanceOf(Ack.Refused.class);
        assertThat(letter(id)).isEqualTo("timed_out");
    }

    /// E-120, E-232. Nobody has claimed the second attempt, so it is skipped.
    @Test
    void the_time_of_the_step_ends_an_attempt_that_nobody_has_begun() {
        UUID id =
                start(
                        Documents.within(60_000, Documents.task("a", patient(40_000) + ROUTES)),
                        Documents.task("failed", ""),
                        Documents.task("late", ""));
        fixture.fail(fixture.claim("do_a"), "connect_failed");

        fixture.later(Duration.ofSeconds(61));

        assertThat(fixture.history(id))
                .containsExactly("a#1 failed", "a#2 skipped", "late#1 pending");
        assertThat(letter(id)).isEqualTo("timed_out");
    }

    /// E-232. The time of a step begins with its first attempt, and not before somebody begins it.
    @Test
    void a_step_that_nobody_claims_uses_up_neither_attempts_nor_time() {
        UUID id = start(Documents.within(60_000, Documents.task("a", patient(40_000))));
        fixture.engine.executions().pause(fixture.request(id));
        fixture.later(Duration.ofDays(3));
        fixture.engine.executions().resume(fixture.request(id));
        fixture.later(Duration.ofDays(3));

        assertThat(fixture.history(id)).containsExactly("a#1 pending");
        fixture.complete(fixture.claim("do_a"), "{}");
        assertThat(fixture.history(id)).containsExactly("a#1 succeeded");
    }

    /// E-089, E-133. What ends while the execution is paused is followed up when it goes on.
    @Test
    void a_retry_whose_time_passes_during_a_pause_ends_the_step_when_it_is_resumed() {
        UUID id =
                start(
                        Documents.within(60_000, Documents.task("a", patient(40_000) + ROUTES)),
                        Documents.task("failed", ""),
                        Documents.task("late", ""));
        fixture.fail(fixture.claim("do_a"), "connect_failed");
        fixture.engine.executions().pause(fixture.request(id));
        fixture.later(Duration.ofSeconds(61));
        assertThat(fixture.history(id)).containsExactly("a#1 failed", "a#2 skipped");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.PAUSED);

        fixture.engine.executions().resume(fixture.request(id));

        assertThat(fixture.history(id))
                .containsExactly("a#1 failed", "a#2 skipped", "late#1 pending");
        assertThat(letter(id)).isEqualTo("timed_out");
    }

    /// E-044. The guard had no time left, which is not a failure of the guard.
    @Test
    void a_guard_that_nobody_begins_in_time_leaves_the_step_timed_out() {
        UUID id =
                start(
                        Documents.within(
                                60_000,
                                Documents.task(
                                        "a",
                                        patient(40_000)
                                                + ROUTES
                                                + ",\"guard_handler\":\"task:check\"")),
                        Documents.task("failed", ""),
                        Documents.task("late", ""));
        fixture.fail(fixture.claim("do_a"), "connect_failed");
        fixture.later(Duration.ofSeconds(61));

        assertThat(fixture.history(id))
                .containsExactly("a#1 failed", "a guard#2 skipped", "late#1 pending");
        assertThat(letter(id)).isEqualTo("timed_out");
    }

    /// E-044, E-133.
    @Test
    void the_last_attempt_that_times_out_takes_the_route_of_timeouts() {
        UUID id =
                start(
                        Documents.task("a", Documents.retry(1, "fixed", 0, 0, 10_000) + ROUTES),
                        Documents.task("failed", ""),
                        Documents.task("late", ""));
        fixture.claim("do_a");
        fixture.later(Duration.ofSeconds(11));
        assertThat(fixture.history(id)).containsExactly("a#1 timed_out", "late#1 pending");
        assertThat(letter(id)).isEqualTo("timed_out");
    }

    /// E-044, E-108. Whatever class a definition gives to a timeout.
    @Test
    void a_timeout_that_a_definition_never_retries_takes_the_route_of_timeouts() {
        UUID id =
                fixture.start(
                                Documents.with(
                                        "\"error_overrides\":{\"timed_out\":\"NON_RETRYABLE\"},",
                                        Documents.task("a", patient(10_000) + ROUTES),
                                        Documents.task("failed", ""),
                                        Documents.task("late", "")))
                        .id();
        fixture.claim("do_a");
        fixture.later(Duration.ofSeconds(11));
        assertThat(fixture.history(id)).containsExactly("a#1 timed_out", "late#1 pending");
    }

    /// E-043, E-045.
    @Test
    void a_failure_takes_its_own_route_and_so_does_a_timeout_without_one() {
        UUID failed =
                start(
                        Documents.task("a", ROUTES),
                        Documents.task("failed", ""),
                        Documents.task("late", ""));
        fixture.fail(fixture.claim("do_a"), "validation_failed");
        assertThat(fixture.history(failed)).containsExactly("a#1 failed", "failed#1 pending");

        UUID late =
                start(
                        Documents.task(
                                "b",
                                Documents.retry(1, "fixed", 0, 0, 10_000)
                                        + ",\"on_failure\":\"failed\""),
                        Documents.task("failed", ""));
        fixture.claim("do_b");
        fixture.later(Duration.ofSeconds(11));
        assertThat(fixture.history(late)).containsExactly("b#1 timed_out", "failed#1 pending");
    }

    /// E-044, E-221. An approval that nobody gives is a timeout of its step.
    @Test
    void an_approval_that_nobody_gives_takes_the_route_of_timeouts() {
        UUID id =
                start(
                        Documents.within(60_000, Documents.step("a", "human_approval", ROUTES)),
                        Documents.task("failed", ""),
                        Documents.task("late", ""));
        fixture.later(Duration.ofSeconds(61));
        assertThat(fixture.history(id)).containsExactly("a#1 timed_out", "late#1 pending");
        assertThat(letter(id)).isEqualTo("timed_out");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.RUNNING);
    }

    /// E-102. Nobody has done anything in a wait, so its timeout leaves nothing to undo.
    @Test
    void a_wait_that_is_declared_unsafe_times_out_without_anything_to_undo() {
        UUID id =
                start(
                        Documents.within(
                                60_000,
                                Documents.step(
                                        "a",
                                        "wait",
                                        ",\"until\":\"2999-01-01T00:00:00Z\",NOT_SAFE")));
        fixture.later(Duration.ofSeconds(61));
        assertThat(fixture.history(id)).containsExactly("a#1 timed_out");
        assertThat(letter(id)).isEqualTo("timed_out");
    }

    /// E-105, E-127. The codes of the engine mean nothing in the words of a worker.
    @Test
    void a_worker_that_says_the_engines_words_has_only_failed() {
        for (String code : new String[] {"gave_up", "step_timeout", "timed_out"}) {
            UUID id =
                    start(
                            Documents.task("a", patient(40_000) + ROUTES),
                            Documents.task("failed", ""),
                            Documents.task("late", ""));
            fixture.fail(fixture.claim("do_a"), WorkError.of(code, "so it says"));
            assertThat(fixture.history(id))
                    .as(code)
                    .containsExactly(
                            "a#1 failed",
                            code.equals("gave_up") ? "failed#1 pending" : "a#2 retrying");
            fixture.engine.executions().cancel(fixture.request(id));
        }
    }

    /// E-063, E-066, E-072.
    @Test
    void an_attempt_begins_when_it_is_claimed_and_a_retry_not_before_its_time() {
        UUID id = start(Documents.task("a", patient(40_000)));
        StepAttempt waiting = fixture.step(id, "a", 1);
        assertThat(waiting.status()).isEqualTo(StepStatus.PENDING);
        assertThat(waiting.times().startedMs()).isNull();
        assertThat(waiting.times().retryAfterMs()).isNull();

        fixture.test.clock().advance(Duration.ofSeconds(5));
        WorkItem held = fixture.claim("do_a");
        StepAttempt running = fixture.step(id, "a", 1);
        assertThat(running.times().startedMs())
                .isGreaterThanOrEqualTo(waiting.times().createdMs() + 5000)
                .isEqualTo(held.times().claimedMs());
        assertThat(running.times().finishedMs()).isNull();

        fixture.fail(held, "connect_failed");
        StepAttempt failed = fixture.step(id, "a", 1);
        StepAttempt retry = fixture.step(id, "a", 2);
        long finished = Objects.requireNonNull(failed.times().finishedMs());
        assertThat(retry.status()).isEqualTo(StepStatus.RETRYING);
        assertThat(retry.times().retryAfterMs()).isEqualTo(finished + 1000);
        assertThat(fixture.claim("do_a", 1)).isEmpty();

        fixture.later(Duration.ofMillis(1001));
        fixture.claim("do_a");
        assertThat(fixture.step(id, "a", 2).times().startedMs())
                .isGreaterThanOrEqualTo(finished + 1000);
    }

    /// E-094, E-193. A wait and the time of its execution are over in one look of a sweeper.
    @Test
    void a_wait_and_the_time_of_its_execution_may_end_at_once() {
        UUID id =
                fixture.start(
                                "{\"name\":\"test\",\"input_schema\":{\"type\":\"object\"},\"policies\":{\"timeouts\":{\"execution_ms\":30000},\"retry\":"
                                        + Documents.RETRY
                                        + "},\"steps\":["
                                        + Documents.step(
                                                "a",
                                                "wait",
                                                ",\"duration_ms\":30000,\"on_success\":\"b\"")
                                        + ","
                                        + Documents.task("b", "")
                                        + "]}")
                        .id();
        fixture.later(Duration.ofSeconds(31));

        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
        assertThat(fixture.claim("do_b", 1)).isEmpty();
        assertThat(fixture.history(id))
                .isIn(
                        java.util.List.of("a#1 failed"),
                        java.util.List.of("a#1 succeeded", "b#1 skipped"));
        assertThat(
                        fixture.test
                                .database()
                                .<Long>value(
                                        "select count(*) from item where owner_id = ? and state in"
                                                + " ('waiting', 'ready', 'leased', 'running')",
                                        id))
                .isZero();
    }

    /// E-127. Who reports after the end of a timed out attempt is told that the lease is over.
    @Test
    void a_late_report_says_that_the_lease_is_over() {
        UUID id = start(Documents.task("a", patient(10_000)));
        WorkItem held = fixture.claim("do_a");
        fixture.later(Duration.ofSeconds(11));
        Ack ack = fixture.complete(held, "{\"late\":true}");
        assertThat(((Ack.Refused) ack).refusal())
                .isInstanceOfAny(
                        Refusal.LeaseExpired.class,
                        Refusal.LeaseLost.class,
                        Refusal.WrongState.class);
        assertThat(fixture.step(id, "a", 1).ended().result()).isNull();
    }
}
