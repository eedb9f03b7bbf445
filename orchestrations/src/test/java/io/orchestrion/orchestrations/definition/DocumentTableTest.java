package io.orchestrion.orchestrations.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.schema.SchemaFault;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;

/// Documents that differ from a good one in one place, and what is found.
class DocumentTableTest {
    /// @param changes to the usual document
    /// @param found as `code pointer`; empty for a good document
    /// @param shape whether the published schema can say the same
    record Row(String[] changes, String found, boolean shape) {
        @Override
        public String toString() {
            return found + " " + Arrays.toString(changes).lines().findFirst().orElse("");
        }
    }

    private static Row good(String... changes) {
        return new Row(changes, "", true);
    }

    private static Row bad(String found, String... changes) {
        return new Row(changes, found, true);
    }

    /// What a schema of the document cannot express.
    private static Row beyond(String found, String... changes) {
        return new Row(changes, found, false);
    }

    static final String CALL = "/steps/3";
    static final String POLICY = "/steps/3/retry_policy";

    private static String quoted(String text) {
        return '"' + text + '"';
    }

    static Stream<Row> rows() {
        return Stream.of(
                        names(),
                        numbers(),
                        types(),
                        handlers(),
                        policies(),
                        expressions(),
                        publish())
                .flatMap(List::stream);
    }

    /// E-002, E-009, E-027, E-028.
    static List<Row> names() {
        return List.of(
                good("/name", quoted("x")),
                good("/name", quoted("x".repeat(200))),
                good("/description", "-"),
                good("/description", quoted("a\\nb")),
                good("/start_step_id", "-"),
                bad("missing_field /name", "/name", "-"),
                bad("out_of_bounds /name", "/name", quoted("")),
                bad("out_of_bounds /name", "/name", quoted("   ")),
                bad("out_of_bounds /name", "/name", quoted("x".repeat(201))),
                bad("invalid_value /name", "/name", quoted("a\\nb")),
                bad("wrong_type /name", "/name", "1"),
                bad("wrong_type /name", "/name", "null"),
                bad("out_of_bounds /description", "/description", quoted("x".repeat(5_001))),
                bad("unknown_field /nmae", "/nmae", "1"),
                bad("missing_field /steps", "/steps", "-"),
                bad("out_of_bounds /steps", "/steps", "[]"),
                bad("wrong_type /steps", "/steps", "{}"),
                bad("wrong_type /steps/0", "/steps/0", "1"),
                bad("missing_field /steps/0/step_id", "/steps/0/step_id", "-"),
                bad("invalid_value /steps/0/step_id", "/steps/0/step_id", quoted("1a")),
                bad("invalid_value /steps/0/step_id", "/steps/0/step_id", quoted("a b")),
                bad("invalid_value /steps/0/step_id", "/steps/0/step_id", quoted("terminal")),
                bad("out_of_bounds /steps/0/step_id", "/steps/0/step_id", quoted("a".repeat(101))),
                bad("missing_field /steps/0/name", "/steps/0/name", "-"),
                bad("out_of_bounds /steps/0/name", "/steps/0/name", quoted("")),
                bad("invalid_value /start_step_id", "/start_step_id", quoted("terminal")),
                bad("invalid_value /steps/0/on_success", "/steps/0/on_success", quoted("a b")),
                bad("unknown_field /steps/0/retries", "/steps/0/retries", "1"));
    }

    /// E-038, E-109, E-111.
    static List<Row> numbers() {
        return List.of(
                good("/steps/0/timeout_ms", "1"),
                good("/steps/0/timeout_ms", "31536000000"),
                bad("missing_field /steps/0/timeout_ms", "/steps/0/timeout_ms", "-"),
                bad("out_of_bounds /steps/0/timeout_ms", "/steps/0/timeout_ms", "0"),
                bad("out_of_bounds /steps/0/timeout_ms", "/steps/0/timeout_ms", "-1"),
                bad("out_of_bounds /steps/0/timeout_ms", "/steps/0/timeout_ms", "31536000001"),
                bad(
                        "out_of_bounds /steps/0/timeout_ms",
                        "/steps/0/timeout_ms",
                        "123456789012345678901234567890"),
                bad("wrong_type /steps/0/timeout_ms", "/steps/0/timeout_ms", "1.5"),
                bad("wrong_type /steps/0/timeout_ms", "/steps/0/timeout_ms", quoted("1")),
                good("/steps/0/lease_seconds", "30"),
                good("/steps/0/lease_seconds", "3600"),
                good("/steps/0/lease_seconds", "-"),
                bad("out_of_bounds /steps/0/lease_seconds", "/steps/0/lease_seconds", "29"),
                bad("out_of_bounds /steps/0/lease_seconds", "/steps/0/lease_seconds", "3601"),
                good("/steps/0/priority", "0"),
                good("/steps/0/priority", "100"),
                bad("out_of_bounds /steps/0/priority", "/steps/0/priority", "-1"),
                bad("out_of_bounds /steps/0/priority", "/steps/0/priority", "101"),
                good("/steps/2/duration_ms", "1"),
                bad("out_of_bounds /steps/2/duration_ms", "/steps/2/duration_ms", "0"),
                good("/policies/timeouts/execution_ms", "1"),
                bad(
                        "out_of_bounds /policies/timeouts/execution_ms",
                        "/policies/timeouts/execution_ms",
                        "0"),
                good("/policies/concurrency/max_running_per_target", "1000000"),
                bad(
                        "out_of_bounds /policies/concurrency/max_running_per_target",
                        "/policies/concurrency/max_running_per_target",
                        "0"),
                bad(
                        "out_of_bounds /policies/concurrency/max_running_per_definition",
                        "/policies/concurrency/max_running_per_definition",
                        "1000001"),
                bad(
                        "out_of_bounds /steps/3/retry_policy/max_attempts",
                        POLICY + "/max_attempts",
                        "0"),
                bad(
                        "out_of_bounds /steps/3/retry_policy/max_attempts",
                        POLICY + "/max_attempts",
                        "101"),
                good(POLICY + "/max_attempts", "1"),
                good(POLICY + "/max_attempts", "100"),
                good(POLICY + "/initial_delay_ms", "0"),
                bad(
                        "out_of_bounds /steps/3/retry_policy/initial_delay_ms",
                        POLICY + "/initial_delay_ms",
                        "-1"),
                bad(
                        "out_of_bounds /steps/3/retry_policy/max_delay_ms",
                        POLICY + "/max_delay_ms",
                        "604800001"),
                beyond(
                        "conflicting_fields /steps/3/retry_policy/max_delay_ms",
                        POLICY + "/max_delay_ms",
                        "99"),
                good(POLICY + "/max_delay_ms", "100"),
                bad("out_of_bounds /steps/3/retry_policy/timeout_ms", POLICY + "/timeout_ms", "0"));
    }

    /// E-029, E-010: each type, and fields of one type on another.
    static List<Row> types() {
        return List.of(
                bad("missing_field /steps/0/type", "/steps/0/type", "-"),
                bad("invalid_value /steps/0/type", "/steps/0/type", quoted("parallel")),
                bad("invalid_value /steps/0/type", "/steps/0/type", quoted("Task")),
                bad(
                        "field_of_other_type /steps/1/on_success",
                        "/steps/1/on_success",
                        quoted("tell")),
                bad("field_of_other_type /steps/2/handler", "/steps/2/handler", quoted("task:t")),
                bad("field_of_other_type /steps/3/priority", "/steps/3/priority", "1"),
                bad("field_of_other_type /steps/0/branches", "/steps/0/branches", "[]"),
                bad("field_of_other_type /steps/0/title", "/steps/0/title", quoted("t")),
                bad("field_of_other_type /steps/2/input", "/steps/2/input", "1"),
                bad("field_of_other_type /steps/3/channel", "/steps/3/channel", quoted("webhook")),
                bad("invalid_value /steps/4/channel", "/steps/4/channel", quoted("email")),
                bad("missing_field /steps/1/branches", "/steps/1/branches", "-"),
                bad("out_of_bounds /steps/1/branches", "/steps/1/branches", "[]"),
                bad("missing_field /steps/1/branches/0/when", "/steps/1/branches/0/when", "-"),
                bad("missing_field /steps/1/branches/0/next", "/steps/1/branches/0/next", "-"),
                bad("unknown_field /steps/1/branches/0/then", "/steps/1/branches/0/then", "1"),
                bad("missing_field /steps/2/duration_ms", "/steps/2/duration_ms", "-"),
                bad(
                        "conflicting_fields /steps/2/duration_ms",
                        "/steps/2/until",
                        quoted("2027-01-31T08:00:00Z")),
                good("/steps/2/duration_ms", "-", "/steps/2/until", quoted("2027-01-31T08:00:00Z")),
                good(
                        "/steps/2/duration_ms",
                        "-",
                        "/steps/2/until",
                        quoted("2027-01-31T08:00:00.5+01:00")),
                good("/steps/2/duration_ms", "-", "/steps/2/until", "{\"$ref\": \"$.input.at\"}"),
                bad(
                        "invalid_value /steps/2/until",
                        "/steps/2/duration_ms",
                        "-",
                        "/steps/2/until",
                        quoted("tomorrow")),
                bad(
                        "invalid_value /steps/2/until",
                        "/steps/2/duration_ms",
                        "-",
                        "/steps/2/until",
                        quoted("2027-01-31T08:00:00")),
                bad(
                        "invalid_value /steps/2/until",
                        "/steps/2/duration_ms",
                        "-",
                        "/steps/2/until",
                        "5"),
                bad(
                        "wrong_type /steps/2/until",
                        "/steps/2/duration_ms",
                        "-",
                        "/steps/2/until",
                        "[{\"$ref\": \"$.input.at\"}]"),
                good("/steps/5/title", "-"),
                bad("out_of_bounds /steps/5/note", "/steps/5/note", quoted("x".repeat(5_001))),
                bad(
                        "invalid_value /steps/3/request/method",
                        CALL + "/request/method",
                        quoted("HEAD")),
                bad(
                        "conflicting_fields /steps/3/request/body",
                        CALL + "/request/method",
                        quoted("GET")),
                bad("unknown_field /steps/3/request/url", CALL + "/request/url", "1"),
                bad("wrong_type /steps/3/request", CALL + "/request", "1"),
                bad(
                        "header_not_allowed /steps/3/request/headers/Idempotency-Key",
                        CALL + "/request/headers/Idempotency-Key",
                        quoted("x")),
                bad(
                        "header_not_allowed /steps/3/request/headers/hOST",
                        CALL + "/request/headers/hOST",
                        quoted("x")),
                bad(
                        "header_not_allowed /steps/3/request/headers/a b",
                        CALL + "/request/headers/a b",
                        quoted("x")),
                beyond(
                        "header_not_allowed /steps/3/request/headers/accept",
                        CALL + "/request/headers/accept",
                        quoted("x")),
                bad("wrong_type /steps/3/request/headers/A", CALL + "/request/headers/A", "1"),
                bad(
                        "out_of_bounds /steps/3/request/headers/A",
                        CALL + "/request/headers/A",
                        quoted("a\\r\\nb")),
                bad(
                        "out_of_bounds /steps/3/request/headers/A",
                        CALL + "/request/headers/A",
                        quoted("x".repeat(4_097))));
    }

    /// E-037, E-041, E-163.
    static List<Row> handlers() {
        return List.of(
                bad("missing_field /steps/0/handler", "/steps/0/handler", "-"),
                bad("missing_field /steps/3/handler", "/steps/3/handler", "-"),
                bad("missing_field /steps/4/handler", "/steps/4/handler", "-"),
                good("/steps/0/handler", quoted("builtin:run.start")),
                beyond(
                        "unknown_builtin /steps/0/handler",
                        "/steps/0/handler",
                        quoted("builtin:rm")),
                bad("invalid_handler /steps/0/handler", "/steps/0/handler", quoted("charge_card")),
                bad("invalid_handler /steps/0/handler", "/steps/0/handler", quoted("task:")),
                bad("invalid_handler /steps/0/handler", "/steps/0/handler", quoted("task:a b")),
                bad(
                        "invalid_handler /steps/0/handler",
                        "/steps/0/handler",
                        quoted("task:" + "a".repeat(101))),
                good("/steps/0/handler", quoted("task:" + "a".repeat(100))),
                bad("invalid_handler /steps/0/handler", "/steps/0/handler", quoted("builtin:A")),
                bad(
                        "invalid_handler /steps/0/handler",
                        "/steps/0/handler",
                        quoted("http:https://example.com")),
                bad("invalid_handler /steps/3/handler", "/steps/3/handler", quoted("task:t")),
                bad(
                        "invalid_handler /steps/3/handler",
                        "/steps/3/handler",
                        quoted("http:ftp://example.com")),
                bad("invalid_handler /steps/3/handler", "/steps/3/handler", quoted("http:example")),
                beyond(
                        "invalid_handler /steps/3/handler",
                        "/steps/3/handler",
                        quoted("http:https://u:p@example.com")),
                beyond(
                        "invalid_handler /steps/3/handler",
                        "/steps/3/handler",
                        quoted("http:https://example.com/#a")),
                beyond(
                        "invalid_handler /steps/3/handler",
                        "/steps/3/handler",
                        quoted("http:https://exämple.com/")),
                good("/steps/3/handler", quoted("http:https://example.com:8443/a?b=c")),
                good("/steps/3/handler", quoted("http:http://127.0.0.1:8080/")),
                bad(
                        "invalid_handler /steps/0/compensation_handler",
                        "/steps/0/compensation_handler",
                        quoted("x:y")),
                good("/steps/0/compensation_handler", quoted("http:https://example.com/undo")),
                good("/steps/0/compensation_policy", "-"),
                bad(
                        "invalid_value /steps/0/compensation_policy",
                        "/steps/0/compensation_policy",
                        quoted("AUTO")),
                bad(
                        "invalid_handler /steps/3/guard_handler",
                        "/steps/3/guard_handler",
                        quoted("guard")));
    }

    /// E-039, E-040, E-108, E-110.
    static List<Row> policies() {
        return List.of(
                bad("missing_retry_policy /steps/0/retry_policy", "/policies/retry", "-"),
                bad(
                        "missing_field /steps/3/retry_policy/max_attempts",
                        POLICY + "/max_attempts",
                        "-"),
                bad(
                        "missing_field /steps/3/retry_policy/backoff_strategy",
                        POLICY + "/backoff_strategy",
                        "-"),
                bad(
                        "missing_field /steps/3/retry_policy/initial_delay_ms",
                        POLICY + "/initial_delay_ms",
                        "-"),
                bad(
                        "missing_field /steps/3/retry_policy/max_delay_ms",
                        POLICY + "/max_delay_ms",
                        "-"),
                bad("missing_field /steps/3/retry_policy/timeout_ms", POLICY + "/timeout_ms", "-"),
                bad(
                        "missing_field /steps/3/retry_policy/retry_on_classes",
                        POLICY + "/retry_on_classes",
                        "-"),
                bad("unknown_field /steps/3/retry_policy/jitter", POLICY + "/jitter", "1"),
                good(POLICY + "/backoff_strategy", quoted("fixed")),
                good(POLICY + "/backoff_strategy", quoted("exponential")),
                bad(
                        "invalid_value /steps/3/retry_policy/backoff_strategy",
                        POLICY + "/backoff_strategy",
                        quoted("linear")),
                good(POLICY + "/retry_on_classes", "[]"),
                good(
                        POLICY + "/retry_on_classes",
                        "[\"TRANSIENT\",\"RETRYABLE\",\"RATE_LIMITED\",\"DEPENDENCY_FAILED\"]"),
                bad(
                        "invalid_value /steps/3/retry_policy/retry_on_classes/0",
                        POLICY + "/retry_on_classes",
                        "[\"transient\"]"),
                bad(
                        "invalid_value /steps/3/retry_policy/retry_on_classes/1",
                        POLICY + "/retry_on_classes",
                        "[\"TRANSIENT\",\"TRANSIENT\"]"),
                bad(
                        "invalid_value /steps/0/idempotency_strategy",
                        "/steps/0/idempotency_strategy",
                        quoted("SAFE")),
                good("/policies/timeouts", "-"),
                good("/policies/concurrency", "{}"),
                bad("unknown_field /policies/limits", "/policies/limits", "1"),
                bad("unknown_field /policies/timeouts/step_ms", "/policies/timeouts/step_ms", "1"),
                bad("unknown_field /policies/concurrency/max", "/policies/concurrency/max", "1"),
                bad("wrong_type /policies", "/policies", "[]", "/steps/3/retry_policy", "-"),
                good("/error_overrides", "-"),
                good("/error_overrides/x", quoted("COMPENSATION_REQUIRED")),
                bad("invalid_value /error_overrides/x", "/error_overrides/x", quoted("FATAL")),
                bad(
                        "invalid_value /error_overrides/a b",
                        "/error_overrides/a b",
                        quoted("TRANSIENT")));
    }

    /// E-011, E-031; schemas, mappings and conditions.
    static List<Row> expressions() {
        return List.of(
                bad("missing_field /input_schema", "/input_schema", "-"),
                good("/input_schema", "{}"),
                good("/input_schema", "true"),
                good("/output_schema", "-"),
                bad("wrong_type /input_schema", "/input_schema", "[]"),
                beyond("invalid_schema /input_schema", "/input_schema", "{\"type\": \"strin\"}"),
                beyond("invalid_schema /output_schema", "/output_schema", "{\"type\": 1}"),
                beyond(
                        "invalid_schema /input_schema",
                        "/input_schema",
                        "{\"$ref\": \"https://example.com/s\"}"),
                beyond(
                        "invalid_schema /steps/0/result_schema",
                        "/steps/0/result_schema",
                        "{\"minLength\": -1}"),
                good("/output", "-"),
                good("/output", "null"),
                good("/output", "{\"$literal\": {\"$ref\": 1}}"),
                good("/output", "[1, {\"a\": {\"$ref\": \"$.input.a[0][\\\"b c\\\"].d\"}}]"),
                bad("invalid_mapping /output/$if", "/output", "{\"$if\": 1}"),
                bad("invalid_mapping /output/a", "/output", "{\"$ref\": \"$.input\", \"a\": 1}"),
                bad(
                        "invalid_mapping /output/default",
                        "/output",
                        "{\"$cel\": \"1\", \"default\": 1}"),
                bad("invalid_reference /output/$ref", "/output", "{\"$ref\": \"input.a\"}"),
                bad("invalid_reference /output/$ref", "/output", "{\"$ref\": \"$.inputs\"}"),
                bad("invalid_reference /output/$ref", "/output", "{\"$ref\": \"$.steps.charge\"}"),
                bad(
                        "invalid_reference /output/$ref",
                        "/output",
                        "{\"$ref\": \"$.execution.secret\"}"),
                bad("invalid_reference /output/$ref", "/output", "{\"$ref\": 1}"),
                beyond("invalid_reference /output/$ref", "/output", "{\"$ref\": \"$.input..a\"}"),
                beyond("invalid_reference /output/$ref", "/output", "{\"$ref\": \"$.input[-1]\"}"),
                beyond("invalid_reference /output/$ref", "/output", "{\"$ref\": \"$.input[*]\"}"),
                bad(
                        "invalid_condition /steps/1/branches/0/when",
                        "/steps/1/branches/0/when",
                        "true"),
                bad("invalid_condition /steps/1/branches/0/when", "/steps/1/branches/0/when", "{}"),
                bad(
                        "invalid_condition /steps/1/branches/0/when/op",
                        "/steps/1/branches/0/when/op",
                        quoted("like")),
                bad(
                        "invalid_condition /steps/1/branches/0/when/value",
                        "/steps/1/branches/0/when/value",
                        "-"),
                bad(
                        "invalid_condition /steps/1/branches/0/when/value",
                        "/steps/1/branches/0/when/op",
                        quoted("exists")),
                bad(
                        "invalid_condition /steps/1/branches/0/when/value",
                        "/steps/1/branches/0/when/op",
                        quoted("in")),
                bad(
                        "invalid_condition /steps/1/branches/0/when/value",
                        "/steps/1/branches/0/when/op",
                        quoted("starts_with")),
                bad(
                        "invalid_condition /steps/1/branches/0/when/all",
                        "/steps/1/branches/0/when",
                        "{\"all\": []}"),
                bad(
                        "invalid_condition /steps/1/branches/0/when/x",
                        "/steps/1/branches/0/when/x",
                        "1"),
                bad(
                        "invalid_reference /steps/1/branches/0/when/path",
                        "/steps/1/branches/0/when/path",
                        quoted("a")));
    }

    /// E-006, E-021, E-022, E-024, E-113, E-155, E-159, E-162: taken as a draft, and told.
    static List<Row> publish() {
        return List.of(
                good("/steps/0/idempotency_strategy", quoted("SAFE_TO_RETRY")),
                bad(
                        "missing_declaration /steps/0/idempotency_strategy",
                        "/steps/0/idempotency_strategy",
                        "-"),
                bad("missing_guard /steps/3/guard_handler", "/steps/3/guard_handler", "-"),
                bad(
                        "class_never_retried /steps/3/retry_policy/retry_on_classes/0",
                        POLICY + "/retry_on_classes",
                        "[\"NON_RETRYABLE\"]"),
                bad(
                        "class_never_retried /steps/3/retry_policy/retry_on_classes/0",
                        POLICY + "/retry_on_classes",
                        "[\"COMPENSATION_REQUIRED\"]"),
                bad("unknown_step /start_step_id", "/start_step_id", quoted("nowhere")),
                bad("unknown_step /steps/0/on_success", "/steps/0/on_success", quoted("nowhere")),
                bad("unknown_step /steps/0/on_failure", "/steps/0/on_failure", quoted("nowhere")),
                bad("unknown_step /steps/3/on_timeout", "/steps/3/on_timeout", quoted("nowhere")),
                bad(
                        "unknown_step /steps/1/branches/1/next",
                        "/steps/1/branches/1/next",
                        quoted("nowhere")),
                bad("unknown_step /steps/1/default", "/steps/1/default", quoted("nowhere")),
                bad(
                        "unknown_step /output/$ref",
                        "/output",
                        "{\"$ref\": \"$.steps.nowhere.result\"}"),
                bad("duplicate_step_id /steps/4/step_id", "/steps/4/step_id", quoted("charge")),
                bad("cycle /steps/0", "/steps/2/on_success", quoted("charge")),
                bad("unreachable_step /steps/5", "/steps/1/branches/0/next", quoted("terminal")),
                bad(
                        "result_not_before /steps/0/input/$ref",
                        "/steps/0/input",
                        "{\"$ref\": \"$.steps.call.result\"}"),
                bad(
                        "result_not_before /steps/0/input/$ref",
                        "/steps/0/input",
                        "{\"$ref\": \"$.steps.charge.result\"}"),
                bad("invalid_cel /steps/0/input/$cel", "/steps/0/input", "{\"$cel\": \"input.\"}"),
                bad(
                        "invalid_cel /steps/1/branches/1/when/$cel",
                        "/steps/1/branches/1/when",
                        "{\"$cel\": \"1 + 1\"}"),
                bad(
                        "result_not_always /output/$ref",
                        "/output",
                        "{\"$ref\": \"$.steps.call.result\"}"),
                bad(
                        "missing_compensation /steps/0/compensation_handler",
                        "/steps/0/compensation_handler",
                        "-"),
                bad(
                        "unused_field /steps/0/compensation_policy",
                        "/steps/0/compensation_handler",
                        "-"),
                bad(
                        "unused_field /steps/0/guard_handler",
                        "/steps/0/guard_handler",
                        quoted("task:g")),
                bad("no_default /steps/1", "/steps/1/default", "-"),
                bad("timeout_too_short /steps/2/timeout_ms", "/steps/2/timeout_ms", "5000"),
                bad("timeout_too_short /steps/3/timeout_ms", "/steps/3/timeout_ms", "4999"));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void a_change_of_a_good_document_is_found_where_it_is(Row row) {
        ReadDefinition read = Documents.read(Documents.with(row.changes));
        List<String> found = Documents.found(Documents.with(row.changes));
        if (row.found.isEmpty()) {
            assertThat(read.isPublishable()).as("%s", read.findings()).isTrue();
            assertThat(read.isTaken()).isTrue();
        } else {
            assertThat(found).contains(row.found);
        }
        assertThat(read.isTaken())
                .isEqualTo(read.findings().stream().noneMatch(Finding::refusesDocument));
        assertThat(read.findings())
                .allSatisfy(
                        finding -> {
                            assertThat(finding.message()).endsWith(".").hasSizeLessThan(700);
                            assertThat(finding.hint()).endsWith(".").hasSizeLessThan(700);
                        });
    }

    /// CB-006: the published schema and the reader agree on the shape.
    @ParameterizedTest
    @MethodSource("rows")
    void the_published_schema_says_of_the_shape_what_the_reader_says(Row row) {
        String document = Documents.with(row.changes);
        List<SchemaFault> faults =
                Documents.SCHEMAS.check(Documents.ACCOUNT, DefinitionSchema.text(), document);
        if (row.shape && !Documents.read(document).isTaken()) {
            assertThat(faults).isNotEmpty();
        } else {
            assertThat(faults).isEmpty();
        }
        if (!row.shape) {
            assertThat(Documents.read(document).isTaken()).isFalse();
        }
    }

    @Test
    void the_usual_document_has_no_finding_that_refuses_it() {
        assertThat(Documents.found(Documents.USUAL)).isEmpty();
    }

    /// Those that no change of a valid tree gives are provoked in [HostileDocumentTest].
    @Test
    void every_code_is_provoked() {
        var codes = EnumSet.noneOf(FindingCode.class);
        rows().forEach(
                        row ->
                                Documents.read(Documents.with(row.changes))
                                        .findings()
                                        .forEach(finding -> codes.add(finding.code())));
        HostileDocumentTest.documents().values().stream()
                .flatMap(text -> Documents.read(text).findings().stream())
                .forEach(finding -> codes.add(finding.code()));
        assertThat(codes).isEqualTo(EnumSet.allOf(FindingCode.class));
    }
}
