package io.orchestrion.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.orchestrion.sdk.TaskReport.ReportedError;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;

/// What a failure says on the wire.
class TaskFailureTest {
    private static String wire(TaskReport report) {
        ObjectNode body = Json.object();
        report.addTo(body);
        return body.toString();
    }

    record Case(TaskFailure failure, String sent) {}

    static List<Case> factories() {
        return List.of(
                new Case(
                        TaskFailure.rateLimited(Duration.ofSeconds(30)),
                        "{\"code\":\"rate_limited\",\"message\":\"The service asks to be left alone"
                                + " for a while.\",\"http_status\":429,"
                                + "\"retry_after_seconds\":30}"),
                new Case(
                        TaskFailure.rateLimited("too busy", Duration.ofMinutes(1)),
                        "{\"code\":\"rate_limited\",\"message\":\"too busy\",\"http_status\":429,"
                                + "\"retry_after_seconds\":60}"),
                new Case(
                        TaskFailure.unavailable("away"),
                        "{\"code\":\"unavailable\",\"message\":\"away\",\"http_status\":503}"),
                new Case(
                        TaskFailure.invalid("no text"),
                        "{\"code\":\"invalid\",\"message\":\"no text\",\"http_status\":422}"),
                new Case(
                        TaskFailure.dependencyFailed("no export"),
                        "{\"code\":\"dependency_failed\",\"message\":\"no export\","
                                + "\"http_status\":424}"),
                new Case(
                        TaskFailure.partialSideEffect("charged"),
                        "{\"code\":\"partial_side_effect\",\"message\":\"charged\","
                                + "\"partial_side_effect\":true}"),
                new Case(
                        TaskFailure.of("a.b:c-1", "m"),
                        "{\"code\":\"a.b:c-1\",\"message\":\"m\"}"));
    }

    @ParameterizedTest
    @MethodSource("factories")
    void each_factory_sends_the_code_and_status_that_the_server_goes_by(Case each) {
        assertThat(wire(each.failure().report())).isEqualTo("{\"error\":" + each.sent() + "}");
        assertThat(each.failure()).hasMessage(each.failure().report().error().message());
        assertThat(each.failure().retryAfter()).isNull();
    }

    @Test
    void everything_else_is_added_and_the_cause_stays() {
        var cause = new IllegalStateException("why");
        TaskFailure failure =
                TaskFailure.of("llm_error", "no answer")
                        .causedBy(cause)
                        .withHttpStatus(500)
                        .withRetryAfter(Duration.ofMillis(1_001))
                        .withPartialSideEffect(false)
                        .withUsage("{ \"tokens\": 12 }")
                        .withLogsRef("s3://logs/1");
        assertThat(failure).hasMessage("no answer").hasCause(cause);
        assertThat(wire(failure.report()))
                .isEqualTo(
                        "{\"error\":{\"code\":\"llm_error\",\"message\":\"no answer\","
                                + "\"http_status\":500,\"retry_after_seconds\":2,"
                                + "\"partial_side_effect\":false},"
                                + "\"usage\":{\"tokens\":12},\"logs_ref\":\"s3://logs/1\"}");
    }

    @Test
    void a_failure_for_people_can_say_what_it_used_up_but_has_no_error() {
        TaskFailure failure =
                new TaskFailure("no luck", Duration.ofMinutes(5)).withUsage("{\"tokens\":1}");
        assertThat(failure).hasMessage("no luck");
        assertThat(failure.retryAfter()).isEqualTo(Duration.ofMinutes(5));
        assertThat(wire(failure.report())).isEqualTo("{\"usage\":{\"tokens\":1}}");
        assertThatIllegalArgumentException().isThrownBy(() -> failure.withHttpStatus(429));
    }

    @Test
    void what_is_too_long_is_cut_where_that_does_no_harm() {
        String message = TaskFailure.of("c", "😀".repeat(600)).report().error().message();
        assertThat(message.codePointCount(0, message.length())).isEqualTo(500);
        assertThat(TaskFailure.of("c", " ").report().error().message()).isEqualTo("c");
        assertThat(TaskFailure.rateLimited(Duration.ofDays(400)).report().error().retryAfter())
                .isEqualTo(Duration.ofDays(30));
        assertThat(TaskFailure.rateLimited(Duration.ZERO).report().error().retryAfter())
                .isEqualTo(Duration.ZERO);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "é"})
    void a_code_that_the_server_would_refuse_is_refused_where_it_is_made(String code) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TaskFailure.of(code, "m"))
                .withMessageContaining("code must be");
        // Also what was put together by hand.
        var report = new TaskReport(new ReportedError(code, null, "m", null, null), null, null);
        assertThatIllegalArgumentException().isThrownBy(() -> new TaskFailure(report));
    }

    @Test
    void the_other_bounds_are_held_as_well() {
        TaskFailure failure = TaskFailure.of("c", "m");
        assertThatIllegalArgumentException().isThrownBy(() -> failure.withHttpStatus(99));
        assertThatIllegalArgumentException().isThrownBy(() -> failure.withHttpStatus(600));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> failure.withRetryAfter(Duration.ofSeconds(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> failure.withLogsRef(""));
        assertThatIllegalArgumentException().isThrownBy(() -> failure.withLogsRef("x".repeat(501)));
        for (String usage :
                List.of(
                        "",
                        "nonsense",
                        "[1]",
                        "{\"a\":1} more",
                        "{\"a\":{\"b\":{\"c\":{\"d\":{}}}}}",
                        "{\"a\":\"" + "x".repeat(4096) + "\"}")) {
            assertThatIllegalArgumentException()
                    .as(usage)
                    .isThrownBy(() -> failure.withUsage(usage));
        }
        String deepest = "{\"a\":{\"b\":[{\"d\":1}]}}";
        assertThat(failure.withUsage(deepest).report().usage()).isEqualTo(deepest);
    }
}
