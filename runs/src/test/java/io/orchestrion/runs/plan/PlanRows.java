package io.orchestrion.runs.plan;

import static io.orchestrion.runs.plan.PlanRow.bad;
import static io.orchestrion.runs.plan.PlanRow.beyond;
import static io.orchestrion.runs.plan.PlanRow.good;
import static io.orchestrion.runs.plan.Plans.many;

import java.util.List;

/// Plans at their bounds and beyond.
final class PlanRows {
    private static final String AGENT = "/agents/0";
    private static final String TASK = AGENT + "/tasks/0";
    private static final String STEP = TASK + "/steps/0";

    private PlanRows() {}

    static List<PlanRow> agents() {
        return List.of(
                good(),
                good("/agents", many(10, "{\"subtask\":\"#\"}")),
                good(AGENT + "/tasks", "[]"),
                good(AGENT + "/subtask", "\"a\\nb\""),
                bad("missing_field /agents", "/agents", "-"),
                bad("out_of_bounds /agents", "/agents", "[]"),
                //
                bad("out_of_bounds /agents", "/agents", many(11, "{\"subtask\":\"#\"}")),
                bad("wrong_type /agents", "/agents", "{}"),
                bad("wrong_type /agents/0", AGENT, "1"),
                bad("unknown_field /plan", "/plan", "1"),
                bad("unknown_field /agents/0/mode", AGENT + "/mode", "1"),
                //
                bad("agent_dependency /agents/0/dependencies", AGENT + "/dependencies", "[]"),
                bad("missing_field /agents/0/subtask", AGENT + "/subtask", "-"),
                bad("out_of_bounds /agents/0/subtask", AGENT + "/subtask", "\" \""),
                bad("out_of_bounds /agents/0/subtask", AGENT + "/subtask", text(10_001)),
                bad("wrong_type /agents/0/subtask", AGENT + "/subtask", "1"),
                //
                bad("invalid_value /agents/0/failure_mode", AGENT + "/failure_mode", "\"skip\""),
                bad("wrong_type /agents/0/failure_mode", AGENT + "/failure_mode", "null"),
                bad(
                        "invalid_value /agents/0/parallelism_mode",
                        AGENT + "/parallelism_mode",
                        "\"DAG\""),
                bad("wrong_type /agents/0/tasks", AGENT + "/tasks", "{}"));
    }

    static List<PlanRow> tasks() {
        return List.of(
                good(TASK + "/name", text(200), AGENT + "/tasks/1/dependencies", "[]"),
                good(TASK + "/failure_mode", "-", TASK + "/parallelism_mode", "-"),
                bad("unknown_field /agents/0/tasks/0/tool", TASK + "/tool", "\"t\""),
                bad("missing_field /agents/0/tasks/0/name", TASK + "/name", "-"),
                bad("out_of_bounds /agents/0/tasks/0/name", TASK + "/name", text(201)),
                bad("invalid_value /agents/0/tasks/0/name", TASK + "/name", "\"a\\nb\""),
                bad("missing_field /agents/0/tasks/0/steps", TASK + "/steps", "-"),
                bad("out_of_bounds /agents/0/tasks/0/steps", TASK + "/steps", "[]"),
                bad(
                        "out_of_bounds /agents/0/tasks/0/steps",
                        TASK + "/steps",
                        many(1_001, "{\"name\":\"#\",\"tool\":\"t\"}")),
                bad(
                        "invalid_value /agents/0/tasks/0/failure_mode",
                        TASK + "/failure_mode",
                        "\"fail_fast\""),
                bad(
                        "out_of_bounds /agents/0/tasks/1/dependencies",
                        AGENT + "/tasks/1/dependencies",
                        many(101, "\"search#\"")),
                bad(
                        "wrong_type /agents/0/tasks/1/dependencies",
                        AGENT + "/tasks/1/dependencies",
                        "[1]"),
                bad(
                        "invalid_value /agents/0/tasks/1/dependencies",
                        AGENT + "/tasks/1/dependencies",
                        "[\"search\",\"search\"]"),
                beyond("duplicate_name /agents/0/tasks/1/name", TASK + "/name", "\"read\""),
                //
                beyond(
                        "unknown_dependency /agents/0/tasks/1/dependencies/0",
                        AGENT + "/tasks/1/dependencies",
                        "[\"serach\"]"),
                beyond(
                        "cycle /agents/0/tasks/0/dependencies",
                        TASK + "/dependencies",
                        "[\"read\"]"),
                beyond(
                        "cycle /agents/0/tasks/0/dependencies",
                        TASK + "/dependencies",
                        "[\"search\"]"),
                //
                beyond(
                        "later_dependency /agents/0/tasks/0/dependencies/0",
                        AGENT + "/parallelism_mode",
                        "-",
                        TASK + "/dependencies",
                        "[\"read\"]",
                        AGENT + "/tasks/1/dependencies",
                        "[]"));
    }

    static List<PlanRow> steps() {
        return List.of(
                good(STEP + "/timeout_ms", "1"),
                good(STEP + "/timeout_ms", "21600000"),
                good(STEP + "/output_schema", "true"),
                good(STEP + "/max_attempts", "20"),
                bad("missing_field " + STEP + "/name", STEP + "/name", "-"),
                bad("missing_field " + STEP + "/tool", STEP + "/tool", "-"),
                bad("invalid_value " + STEP + "/tool", STEP + "/tool", "\"a.b\""),
                bad("invalid_value " + STEP + "/tool", STEP + "/tool", "\"\""),
                bad("out_of_bounds " + STEP + "/tool", STEP + "/tool", text(101)),
                bad("reserved_tool " + STEP + "/tool", STEP + "/tool", "\"run_plan\""),
                bad("reserved_tool " + STEP + "/tool", STEP + "/tool", "\"agent_plan\""),
                bad("wrong_type " + STEP + "/input", STEP + "/input", "[]"),
                bad("wrong_type " + STEP + "/input", STEP + "/input", "null"),
                beyond("out_of_bounds " + STEP + "/input", STEP + "/input", object(131_072)),
                bad("out_of_bounds " + STEP + "/timeout_ms", STEP + "/timeout_ms", "0"),
                bad("out_of_bounds " + STEP + "/timeout_ms", STEP + "/timeout_ms", "21600001"),
                bad("wrong_type " + STEP + "/timeout_ms", STEP + "/timeout_ms", "1.5"),
                bad("out_of_bounds " + STEP + "/max_attempts", STEP + "/max_attempts", "0"),
                bad("out_of_bounds " + STEP + "/max_attempts", STEP + "/max_attempts", "21"),
                bad("out_of_bounds " + STEP + "/max_tokens", STEP + "/max_tokens", "0"),
                bad("wrong_type " + STEP + "/output_schema", STEP + "/output_schema", "\"a\""),
                beyond(
                        "invalid_schema " + STEP + "/output_schema",
                        STEP + "/output_schema",
                        "{\"type\":\"objekt\"}"),
                beyond(
                        "invalid_schema " + STEP + "/output_schema",
                        STEP + "/output_schema",
                        "{\"$ref\":\"http://169.254.169.254/\"}"),
                beyond(
                        "invalid_schema " + STEP + "/output_schema",
                        STEP + "/output_schema",
                        "{\"$ref\":\"#\"}"),
                bad("unknown_field " + STEP + "/retries", STEP + "/retries", "1"),
                beyond("duplicate_name " + TASK + "/steps/1/name", STEP + "/name", "\"news\""),
                beyond(
                        "unknown_dependency " + TASK + "/steps/2/dependencies/0",
                        STEP + "/name",
                        "\"elsewhere\""),
                //
                beyond(
                        "cycle " + TASK + "/steps/0/dependencies",
                        STEP + "/dependencies",
                        "[\"merge\"]"),
                beyond(
                        "too_many_steps ",
                        AGENT + "/tasks",
                        many(
                                11,
                                "{\"name\":\"t#\",\"steps\":"
                                        + many(1_000, "{\"name\":\"s#\",\"tool\":\"t\"}")
                                        + "}")));
    }

    private static String text(int characters) {
        return '"' + "x".repeat(characters) + '"';
    }

    private static String object(int bytes) {
        return "{\"a\":" + text(bytes) + "}";
    }
}
