package io.orchestrion.orchestrations.definition;

import static io.orchestrion.orchestrations.definition.DocumentRow.CALL;
import static io.orchestrion.orchestrations.definition.DocumentRow.POLICY;
import static io.orchestrion.orchestrations.definition.DocumentRow.bad;
import static io.orchestrion.orchestrations.definition.DocumentRow.beyond;
import static io.orchestrion.orchestrations.definition.DocumentRow.good;
import static io.orchestrion.orchestrations.definition.DocumentRow.quoted;

import java.util.List;

/// Fields of documents at their bounds and beyond.
final class FieldRows {
    private FieldRows() {}

    /// E-002, E-009, E-027, E-028.
    static List<DocumentRow> names() {
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
    static List<DocumentRow> numbers() {
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
    static List<DocumentRow> types() {
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
    static List<DocumentRow> handlers() {
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
}
