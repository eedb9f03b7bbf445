package io.orchestrion.orchestrations.definition;

import static io.orchestrion.orchestrations.definition.DocumentRow.POLICY;
import static io.orchestrion.orchestrations.definition.DocumentRow.bad;
import static io.orchestrion.orchestrations.definition.DocumentRow.beyond;
import static io.orchestrion.orchestrations.definition.DocumentRow.good;
import static io.orchestrion.orchestrations.definition.DocumentRow.quoted;

import java.util.List;

/// Policies, expressions and what publishing asks for.
final class RuleRows {
    private RuleRows() {}

    /// E-039, E-040, E-108, E-110.
    static List<DocumentRow> policies() {
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
    static List<DocumentRow> expressions() {
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
    static List<DocumentRow> publish() {
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
}
