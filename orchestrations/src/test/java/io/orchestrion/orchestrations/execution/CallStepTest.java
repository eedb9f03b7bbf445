package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.egress.Call;
import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.orchestrations.execution.OrchestrationFixture.Service;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/// Calls and notices that the server makes itself.
class CallStepTest {
    private final OrchestrationFixture fixture = new OrchestrationFixture();
    private final Acts acts = new Acts(fixture);

    @AfterEach
    void close() {
        fixture.close();
    }

    private void untilOver(UUID id) {
        fixture.callUntil("the execution is over", () -> fixture.status(id).isTerminal());
    }

    private String result(UUID id, String stepId) {
        return Objects.requireNonNull(fixture.step(id, stepId, 1).ended().result());
    }

    private void answers(String type, String body) {
        fixture.service.answer =
                _ ->
                        new CallOutcome.Answered(
                                200,
                                Map.of("Content-Type", List.of(type)),
                                body.getBytes(StandardCharsets.UTF_8));
    }

    /// E-034, E-146.
    @Test
    void a_call_carries_the_key_of_its_step_and_gives_the_answer() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Acts.call(
                                                "c",
                                                ",\"request\":{\"method\":\"PUT\",\"headers\":{\"X-N\":{\"$ref\":\"$.input.n\"}},"
                                                    + "\"body\":{\"n\":{\"$ref\":\"$.input.n\"}}}")))
                        .id();
        untilOver(id);
        assertThat(fixture.service.calls).hasSize(1);
        Call call = fixture.service.calls.getFirst();
        assertThat(call.method()).isEqualTo("PUT");
        assertThat(call.url()).isEqualTo("https://example.com/c");
        assertThat(call.headers())
                .containsEntry("Idempotency-Key", fixture.step(id, "c", 1).key().value())
                .containsEntry("X-Correlation-Id", "order-7")
                .containsEntry("X-N", "1");
        assertThat(new String(call.body(), StandardCharsets.UTF_8)).isEqualTo("{\"n\":1}");
        assertThat(call.within()).isEqualTo(Duration.ofSeconds(30));
        assertThat(call.answerMost()).isEqualTo(48 * 1024);
        assertThat(result(id, "c")).isEqualTo("{\"status\":200,\"body\":{\"ok\":true}}");
    }

    /// E-144, E-146, E-034: the same key for every attempt.
    @Test
    void every_attempt_of_a_call_has_the_same_key() {
        UUID id = fixture.start(Documents.of(Acts.call("c", ""))).id();
        fixture.service.answer =
                _ ->
                        fixture.service.calls.size() == 1
                                ? Service.json(503, "{}")
                                : Service.json(200, "{}");
        fixture.callUntil(
                "the first call was made", () -> fixture.history(id).contains("c#2 retrying"));
        fixture.later(Duration.ofSeconds(2));
        untilOver(id);
        assertThat(fixture.history(id)).containsExactly("c#1 failed", "c#2 succeeded");
        assertThat(fixture.service.calls)
                .extracting(call -> call.headers().get("Idempotency-Key"))
                .hasSize(2)
                .containsOnly(fixture.step(id, "c", 1).key().value());
    }

    /// E-034: whatever a service answers, the step has an end and the next one can use the result.
    @Test
    void a_strange_answer_is_kept_as_text() {
        for (String strange :
                List.of(
                        "{\"x\":\"\\u0000\"}",
                        "{\"x\":\"\\ud800\"}",
                        "{\"x\":1e999999}",
                        "{\"x\":1,\"x\":2}",
                        "{\"x\":1} {}",
                        "{\"x\":",
                        "a\0b",
                        "[".repeat(900) + "]".repeat(900))) {
            answers("application/json", strange);
            UUID id =
                    fixture.start(
                                    Documents.of(
                                            Acts.call("c", Acts.next("a")),
                                            Documents.task(
                                                    "a",
                                                    ",\"input\":{\"$ref\":\"$.steps.c.result\"}")))
                            .id();
            fixture.callUntil(strange, () -> fixture.history(id).contains("a#1 pending"));
            assertThat(result(id, "c")).as(strange).contains("\"body\":\"");
            acts.succeed("do_a");
        }
    }

    /// E-034, E-068: in bytes as they are stored.
    @Test
    void a_result_of_a_call_is_bounded_as_it_is_stored() {
        answers("text/plain", "\u0001".repeat(40_000));
        UUID id = fixture.start(Documents.of(Acts.call("c", ""))).id();
        untilOver(id);
        assertThat(Objects.requireNonNull(fixture.step(id, "c", 1).ended().error()).code())
                .isEqualTo("answer_too_large");
        answers("text/plain", "x".repeat(48 * 1024));
        UUID most = fixture.start(Documents.of(Acts.call("c", ""))).id();
        untilOver(most);
        assertThat(fixture.status(most)).isEqualTo(ExecutionStatus.SUCCEEDED);
    }

    /// E-035, E-147.
    @Test
    void a_notice_is_sent_once_and_what_was_sent_is_kept() {
        UUID id = fixture.start(Documents.of(Acts.notice("tell", ""))).id();
        untilOver(id);
        String key = fixture.step(id, "tell", 1).key().value();
        assertThat(fixture.service.calls).hasSize(1);
        assertThat(fixture.service.calls.getFirst().headers())
                .containsEntry("Idempotency-Key", key);
        assertThat(
                        fixture.test
                                .database()
                                .rows(
                                        "select state, attempts, target from"
                                                + " orchestration_notification where"
                                                + " step_idempotency_key = ?",
                                        key)
                                .toString())
                .isEqualTo("[{state=sent, attempts=1, target=https://example.com/tell}]");
    }

    /// E-147, E-035: the server is gone after the notice was sent and before its step had ended.
    @Test
    void a_notice_that_was_sent_before_a_crash_is_not_sent_again() {
        UUID id = fixture.start(Documents.of(Acts.notice("tell", ""))).id();
        // The step's end is not written, as if the server were killed there.
        var killed = new CountDownLatch(1);
        fixture.test
                .failpoints()
                .arm(
                        "settle.before-commit",
                        () -> {
                            killed.countDown();
                            throw new Failpoints.Injected("kill");
                        });
        fixture.callUntil("it was sent", () -> isSent(id) && killed.getCount() == 0);
        fixture.test.failpoints().disarm("settle.before-commit");
        fixture.test.clock().advance(Duration.ofMinutes(2));
        fixture.later(Duration.ofSeconds(1));
        fixture.later(Duration.ofSeconds(2));
        untilOver(id);

        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.SUCCEEDED);
        assertThat(fixture.service.calls).hasSize(1);
    }

    private boolean isSent(UUID id) {
        return fixture.test
                        .database()
                        .<Long>value(
                                "select count(*) from orchestration_notification where state ="
                                        + " 'sent' and step_idempotency_key = ?",
                                fixture.step(id, "tell", 1).key().value())
                == 1;
    }

    /// E-147, CB-010: what was about to be sent when the server died may have arrived: the same key
    /// again.
    @Test
    void a_notice_that_may_have_been_sent_is_sent_again_under_the_same_key() {
        UUID id = fixture.start(Documents.of(Acts.notice("tell", ""))).id();
        fixture.service.answer =
                _ ->
                        fixture.service.calls.size() == 1
                                ? new CallOutcome.Failed(
                                        CallOutcome.Reason.BROKEN, "the connection broke", true)
                                : Service.json(200, "{}");
        fixture.callUntil("it failed", () -> fixture.history(id).contains("tell#2 retrying"));
        fixture.later(Duration.ofSeconds(2));
        untilOver(id);
        assertThat(fixture.service.calls)
                .hasSize(2)
                .extracting(call -> call.headers().get("Idempotency-Key"))
                .containsOnly(fixture.step(id, "tell", 1).key().value());
    }

    /// E-147, E-154: a notice that is not safe to repeat goes to a person.
    @Test
    void a_notice_that_may_have_been_sent_and_is_not_safe_goes_to_review() {
        UUID id = fixture.start(Documents.of(Acts.notice("tell", ",NOT_SAFE"))).id();
        fixture.service.answer =
                _ -> new CallOutcome.Failed(CallOutcome.Reason.BROKEN, "it broke", true);
        untilOver(id);
        assertThat(fixture.service.calls).hasSize(1);
        assertThat(acts.onlyLetter(id).handling().action()).isEqualTo("manual_compensation");
    }
}
