package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.UUID;

/// What is kept of a failed step: its dead letter, its summary, its place in the history.
class DeadLetterRuleTest {
    private final OrchestrationFixture fixture = new OrchestrationFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private UUID start(String... steps) {
        return fixture.start(Documents.of(steps)).id();
    }

    /// E-134.
    @Test
    void a_dead_letter_says_what_failed_and_why() {
        UUID id = start(Documents.task("a", Documents.retry(2, "fixed", 0, 0, 30_000)));
        fixture.fail(fixture.claim("do_a"), "connect_failed");
        fixture.later(java.time.Duration.ofSeconds(1));
        fixture.fail(
                fixture.claim("do_a"),
                new WorkError("connect_failed", 503, "no way, password=hunter2", null, null));

        DeadLetter letter = fixture.letters(id).getFirst();
        StepAttempt last = fixture.step(id, "a", 2);
        assertThat(letter.origin().execution()).isEqualTo(id);
        assertThat(letter.origin().correlationId()).isEqualTo("order-7");
        assertThat(letter.origin().definition()).isEqualTo(fixture.execution(id).definition());
        assertThat(letter.stepId()).isEqualTo("a");
        assertThat(letter.stepExecution()).isEqualTo(last.id());
        assertThat(letter.error()).isEqualTo(last.ended().error());
        assertThat(letter.error().errorClass()).isEqualTo(ErrorClass.TRANSIENT);
        assertThat(letter.error().summary()).startsWith("no way").doesNotContain("hunter2");
        assertThat(letter.handling().createdMs()).isEqualTo(last.times().finishedMs());
        assertThat(letter.status()).isEqualTo(DeadLetter.Status.OPEN);
        assertThat(fixture.letters(id)).hasSize(1);
    }

    /// E-135.
    @Test
    void a_dead_letter_is_handled_where_another_step_takes_over_and_open_where_none_does() {
        UUID goesOn = start(Documents.task("a", ",\"on_failure\":\"b\""), Documents.task("b", ""));
        fixture.fail(fixture.claim("do_a"), "validation_failed");
        assertThat(fixture.letters(goesOn))
                .extracting(letter -> letter.status().word())
                .containsExactly("handled");
        assertThat(fixture.status(goesOn)).isEqualTo(ExecutionStatus.RUNNING);
        fixture.complete(fixture.claim("do_b"), "{}");
        assertThat(fixture.status(goesOn)).isEqualTo(ExecutionStatus.SUCCEEDED);

        UUID ends = start(Documents.task("a", ",\"on_failure\":\"terminal\""));
        fixture.fail(fixture.claim("do_a"), "validation_failed");
        assertThat(fixture.letters(ends))
                .extracting(letter -> letter.status().word())
                .containsExactly("open");
        assertThat(fixture.status(ends)).isEqualTo(ExecutionStatus.FAILED);
    }

    /// E-129, E-075. What did not fail for good leaves none, and what is not on the way leaves
    /// nothing at all.
    @Test
    void a_step_that_succeeds_in_the_end_leaves_no_dead_letter() {
        UUID id =
                start(
                        Documents.task(
                                "a",
                                Documents.retry(2, "fixed", 0, 0, 30_000)
                                        + ",\"on_success\":\"which\""),
                        Documents.step(
                                "which",
                                "decision",
                                ",\"branches\":[{\"when\":{\"path\":\"$.input.n\",\"op\":\"eq\",\"value\":2},\"next\":\"other\"}],\"default\":\"b\""),
                        Documents.task("other", ""),
                        Documents.task("b", ""));
        fixture.fail(fixture.claim("do_a"), "connect_failed");
        fixture.later(java.time.Duration.ofSeconds(1));
        fixture.complete(fixture.claim("do_a"), "{}");
        fixture.complete(fixture.claim("do_b"), "{}");
        assertThat(fixture.letters(id)).isEmpty();
        assertThat(fixture.history(id))
                .containsExactly(
                        "a#1 failed", "a#2 succeeded", "which#1 succeeded", "b#1 succeeded");
        StepAttempt decision = fixture.step(id, "which", 1);
        assertThat(decision.times().startedMs()).isNotNull();
        assertThat(decision.times().finishedMs()).isNotNull();
    }

    /// E-065.
    @Test
    void a_summary_holds_no_secret_and_at_most_500_characters() {
        UUID definition =
                fixture.published(
                        Documents.of(
                                Documents.task("a", Documents.retry(1, "fixed", 0, 0, 30_000))));
        for (String message :
                List.of(
                        "Authorization: Bearer s3cretpart.and.more",
                        "authorization=Basic s3cretpart==",
                        "curl -H 'Authorization: s3cretpart' failed",
                        "sent bearer s3cretpartAndMore to it",
                        "api_key=s3cretpart",
                        "X-Api-Key: s3cretpart",
                        "{\"apiKey\": \"s3cretpart\"}",
                        "{\"password\":\"s3cretpart with blanks\"}",
                        "{\"Authorization\":\"Bearer s3cretpart\"}",
                        "password: s3cretpart",
                        "PASSWORD='s3cretpart'",
                        "client_secret=s3cretpart&x=1",
                        "token=s3cretpart",
                        "https://user:s3cretpart@host/path",
                        "key orch_live_s3cretpart12345 was refused")) {
            UUID id = fixture.start(definition, "{}").id();
            fixture.fail(fixture.claim("do_a"), WorkError.of("validation_failed", message));
            for (String stored :
                    List.of(
                            fixture.test
                                    .database()
                                    .<String>value(
                                            "select error_summary from orchestration_step where"
                                                    + " execution_id = ?",
                                            id),
                            fixture.test
                                    .database()
                                    .<String>value(
                                            "select error_summary from orchestration_execution"
                                                    + " where id = ?",
                                            id),
                            fixture.test
                                    .database()
                                    .<String>value(
                                            "select error_summary from orchestration_dead_letter"
                                                    + " where execution_id = ?",
                                            id))) {
                assertThat(stored).as(message).isNotBlank().doesNotContain("s3cretpart");
            }
        }
    }

    /// E-069, E-059, E-057.
    @Test
    void the_history_keeps_what_each_worker_said() {
        UUID id = start(Documents.task("a", Documents.retry(2, "fixed", 0, 0, 30_000)));
        WorkItem first = fixture.claim("do_a");
        fixture.say(
                first,
                new Command.Fail(
                        Fence.of(first.lease().token()),
                        null,
                        null,
                        true,
                        new Report(
                                WorkError.of("connect_failed", "first"),
                                "{\"tokens\":5}",
                                "s3://logs/1"),
                        null));
        fixture.later(java.time.Duration.ofSeconds(1));
        WorkItem second = fixture.claim("do_a");
        fixture.say(
                second,
                new Command.Complete(
                        Fence.of(second.lease().token()),
                        "{\"x\":1}",
                        null,
                        new Report(null, "{\"tokens\":7}", "s3://logs/2"),
                        null));

        List<StepAttempt> steps = fixture.steps(id);
        assertThat(steps).extracting(StepAttempt::id).doesNotHaveDuplicates();
        assertThat(steps).extracting(step -> step.place().number()).containsExactly(1, 2);
        assertThat(steps)
                .extracting(step -> step.ended().logsRef())
                .containsExactly("s3://logs/1", "s3://logs/2");
        assertThat(steps.getFirst().ended().usage()).contains("5");
        assertThat(steps.getLast().ended().usage()).contains("7");
        assertThat(steps.getLast().ended().error()).isNull();
        assertThat(steps.getLast().ended().result()).isEqualTo("{\"x\":1}");
        assertThat(steps)
                .allSatisfy(
                        step -> {
                            assertThat(step.times().startedMs()).isNotNull();
                            assertThat(step.times().finishedMs())
                                    .isGreaterThanOrEqualTo(step.times().startedMs());
                            assertThat(step.ended().decision()).isNotNull();
                        });
    }

    /// E-098, E-108. A result that the step's own schema refuses fails the attempt.
    @Test
    void a_result_that_the_step_refuses_is_a_failure() {
        UUID id =
                start(
                        Documents.task(
                                "a",
                                ",\"result_schema\":{\"type\":\"object\",\"required\":[\"x\"]}"));
        Ack ack = fixture.complete(fixture.claim("do_a"), "{\"y\":1}");
        assertThat(ack).isInstanceOf(Ack.Refused.class);
        assertThat(fixture.history(id)).containsExactly("a#1 failed");
        StepError error = fixture.step(id, "a", 1).ended().error();
        assertThat(error).isNotNull();
        assertThat(error.code()).isEqualTo("invalid_output");
        assertThat(error.errorClass()).isEqualTo(ErrorClass.NON_RETRYABLE);
    }
}
