package io.orchestrion.orchestrations.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.document.Finding;
import io.orchestrion.kernel.retry.BackoffStrategy;
import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.retry.RetryPolicy;
import io.orchestrion.kernel.retry.SafeRetry;
import io.orchestrion.orchestrations.definition.StepDetails.WaitTime;

import org.junit.jupiter.api.Test;

import java.util.Objects;
import java.util.Set;

class DefinitionTest {
    private final Definition definition = Documents.definition(Documents.USUAL);

    private StepSpec step(String id) {
        return Objects.requireNonNull(definition.step(id));
    }

    @Test
    void the_definition_says_what_the_document_says() {
        assertThat(definition.name()).isEqualTo("Refund an order");
        assertThat(definition.startStepId()).isEqualTo("charge");
        assertThat(definition.steps())
                .extracting(StepSpec::id)
                .containsExactly("charge", "large", "cool_down", "call", "tell", "ask");
        assertThat(definition.policies().executionMs()).isEqualTo(600_000);
        assertThat(definition.policies().maxRunningPerTarget()).isEqualTo(1);
        assertThat(definition.policies().maxRunningPerDefinition()).isEqualTo(100);
        assertThat(definition.inputSchema()).contains("\"required\"");
        assertThat(definition.outputSchema()).isEqualTo("true");
        assertThat(definition.errorOverrides())
                .containsEntry("card_expired", ErrorClass.NON_RETRYABLE);
        assertThat(step("charge").details())
                .isEqualTo(
                        new StepDetails.Task(
                                new Handler.TaskHandler("charge_card"),
                                120,
                                10,
                                "{\"type\":\"object\"}"));
        assertThat(step("cool_down").details())
                .isEqualTo(new StepDetails.Wait(new WaitTime.For(5_000)));
        assertThat(step("ask").details())
                .isEqualTo(new StepDetails.HumanApproval("finance", "Refund?", "Look."));
        assertThat(step("charge").compensation()).isEqualTo(new Handler.TaskHandler("undo_charge"));
        assertThat(step("charge").compensationPolicy()).isEqualTo(CompensationPolicy.AUTO);
        assertThat(step("call").guard()).isEqualTo(new Handler.BuiltinHandler("run.start"));
    }

    /// E-163.
    @Test
    void compensation_is_manual_unless_said_otherwise() {
        assertThat(step("call").compensationPolicy()).isEqualTo(CompensationPolicy.MANUAL);
    }

    /// E-039, E-112.
    @Test
    void a_step_without_a_policy_has_the_one_of_the_definition() {
        assertThat(step("charge").retryPolicy())
                .isEqualTo(
                        new RetryPolicy(
                                5,
                                BackoffStrategy.EXPONENTIAL,
                                1_000,
                                30_000,
                                1_000,
                                Set.of(ErrorClass.TRANSIENT)));
        assertThat(step("call").retryPolicy().maxAttempts()).isEqualTo(3);
        assertThat(step("call").retryPolicy().timeoutMs()).isEqualTo(5_000);
        assertThat(step("call").timeoutMs()).isEqualTo(60_000);
    }

    /// E-042, E-043, E-044, E-045.
    @Test
    void a_timeout_goes_the_way_of_a_failure_unless_said_otherwise() {
        assertThat(step("charge").onSuccess()).isEqualTo(new Route.Next("large"));
        assertThat(step("charge").onFailure()).isEqualTo(new Route.Next("tell"));
        assertThat(step("charge").onTimeout()).isEqualTo(new Route.Next("tell"));
        assertThat(step("call").onTimeout()).isEqualTo(Route.TERMINAL);
        assertThat(step("ask").onFailure()).isEqualTo(Route.TERMINAL);
        assertThat(step("ask").onTimeout()).isEqualTo(new Route.Next("tell"));
        assertThat(step("tell").onSuccess()).isEqualTo(Route.TERMINAL);
    }

    @Test
    void the_first_step_starts_unless_said_otherwise() {
        String document =
                Documents.of(Documents.step("a", "\"on_success\":\"b\""), Documents.step("b", ""));

        assertThat(Documents.definition(document).startStepId()).isEqualTo("a");
    }

    @Test
    void a_request_is_a_post_of_the_envelope_unless_said_otherwise() {
        assertThat(step("tell").details())
                .isEqualTo(
                        new StepDetails.Notify(
                                new Handler.HttpHandler("https://example.com/hook"),
                                CallRequest.USUAL));
        assertThat(CallRequest.USUAL.hasBody()).isTrue();
    }

    /// E-159: what does not say so may not be repeated.
    @Test
    void a_draft_without_a_declaration_is_not_safe_to_retry() {
        Definition draft =
                Documents.definition(Documents.with("/steps/0/idempotency_strategy", "-"));

        assertThat(draft.steps().getFirst().safeRetry()).isEqualTo(SafeRetry.NOT_SAFE_TO_RETRY);
    }

    /// E-162.
    @Test
    void a_step_that_nothing_undoes_is_published_with_a_warning() {
        ReadDefinition read =
                Documents.read(
                        Documents.with(
                                "/steps/0/compensation_handler",
                                "-",
                                "/steps/0/compensation_policy",
                                "-"));

        assertThat(read.isPublishable()).isTrue();
        assertThat(read.warnings())
                .extracting(Finding::code)
                .containsExactly(DefinitionCode.MISSING_COMPENSATION);
    }

    @Test
    void a_step_names_the_results_that_it_needs() {
        assertThat(step("large").stepIds()).containsExactly("charge");
        assertThat(step("ask").stepIds()).containsExactly("charge");
        assertThat(step("call").stepIds()).isEmpty();
    }

    /// E-026.
    @Test
    void an_exported_document_reads_as_an_equal_definition() {
        ReadDefinition again = Documents.read(definition.text());

        assertThat(again.findings()).isEmpty();
        assertThat(again.definition()).isEqualTo(definition).hasSameHashCodeAs(definition);
        assertThat(again.definition().text()).isEqualTo(definition.text());
        assertThat(Documents.READER.stored(definition.text())).isEqualTo(definition);
    }

    @Test
    void order_and_form_of_numbers_make_no_difference_and_values_do() {
        String one = Documents.of(Documents.step("a", "\"input\":{\"x\":1.0,\"y\":[100]}"));
        String same = Documents.of(Documents.step("a", "\"input\":{\"y\":[1e2],\"x\":1}"));
        String other = Documents.of(Documents.step("a", "\"input\":{\"y\":[100],\"x\":\"1\"}"));

        assertThat(Documents.definition(one)).isEqualTo(Documents.definition(same));
        assertThat(Documents.definition(one).checksum())
                .matches("[0-9a-f]{64}")
                .isEqualTo(Documents.definition(same).checksum())
                .isNotEqualTo(Documents.definition(other).checksum());
    }

    /// E-010.
    @Test
    void the_stored_text_is_what_was_sent() {
        assertThat(Documents.JSON.readTree(definition.text()))
                .isEqualTo(Documents.JSON.readTree(Documents.USUAL));
    }

    @Test
    void a_stored_text_is_not_checked_again_and_has_to_be_one() {
        String text =
                Documents.with(
                        "/input_schema",
                        "{\"type\": \"strin\"}",
                        "/steps/0/handler",
                        "\"builtin:gone\"");

        assertThat(Documents.READER.stored(text).inputSchema()).contains("strin");
        assertThatThrownBy(() -> Documents.READER.stored("{}"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("name");
    }

    @Test
    void moments_are_rounded_up_to_milliseconds() {
        assertThat(WaitTimes.millis("1970-01-01T00:00:00.0000001Z")).isEqualTo(1);
        assertThat(WaitTimes.millis("1970-01-01T01:00:00+01:00")).isEqualTo(0);
        assertThat(WaitTimes.millis("1970-01-01")).isNull();
        assertThat(WaitTimes.millis("+12345-01-01T00:00:00Z")).isNull();
    }
}
