package io.orchestrion.server.runs;

import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.IntegerField;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.runs.engine.RunsOptions;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.plan.PlanLimits;
import io.orchestrion.runs.run.Bounds;
import io.orchestrion.runs.run.PlannerMode;
import io.orchestrion.runs.run.Priority;
import io.orchestrion.runs.run.Timeouts;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.server.runs.tuning.RunBounds;

/// The bodies of the endpoints that make and change runs.
final class RunWriteSpecs {
    private RunWriteSpecs() {}

    static final int NAME_MAX = 200;
    static final int TASK_MAX = PlanLimits.SUBTASK_CHARACTERS;
    static final int CONTEXT_BYTES_MAX = 65_536;
    static final int CONTEXT_DEPTH_MAX = 32;
    static final int TOOLS_MAX = 200;
    static final int PLAN_BYTES_MAX = PlanLimits.USUAL.documentBytes();

    /// A plan, and beside it what else may be long, escaped character by character.
    static final int CREATE_BYTES_MAX = PLAN_BYTES_MAX + 1024 * 1024;

    private static final Bounds USUAL = RunsOptions.USUAL_BOUNDS;
    private static final int TOOL_POLICIES_DEPTH = 1;
    private static final int TOOL_POLICIES_BYTES = 32 * 1024;
    private static final long YEAR_MS = 366L * 24 * 3_600 * 1_000;

    /// What this server has for those that ask for nothing may be another figure.
    private static String usually(long figure) {
        return " Default: " + figure + ", or what the server's settings say.";
    }

    private static IntegerField most(String name, long least, long most, long usual, String doc) {
        return integer(name).range(least, most).doc(doc + usually(usual));
    }

    private static IntegerField time(String name, long most, long usual, String doc) {
        return most(name, 1, most, usual, doc);
    }

    private static final ObjectSpec PLANNER =
            ObjectSpec.named("RunPlanner")
                    .required(
                            oneOf("mode", PlannerMode.words())
                                    .doc(
                                            "static: the plan is sent along. claim: a worker claims"
                                                    + " the planning step, run_plan. openai: the"
                                                    + " model that the server is configured"
                                                    + " for."));

    private static final ObjectSpec LIMITS =
            ObjectSpec.named("RunConcurrency")
                    .optional(
                            most(
                                    "max_concurrent_tasks",
                                    1,
                                    RunBounds.AT_ONCE,
                                    USUAL.tasksAtOnce(),
                                    "Tasks of an agent at once."))
                    .optional(
                            most(
                                    "max_concurrent_steps",
                                    1,
                                    RunBounds.AT_ONCE,
                                    USUAL.stepsAtOnce(),
                                    "Steps of a task at once."));

    private static final ObjectSpec TIMEOUTS = timeouts(Timeouts.USUAL);

    private static ObjectSpec timeouts(Timeouts usual) {
        long steps = PlanLimits.USUAL.timeoutMs();
        return ObjectSpec.named("RunTimeouts")
                .optional(
                        time(
                                "pending_ms",
                                YEAR_MS,
                                usual.pendingMs(),
                                "Until it is picked up; then it fails."))
                .optional(
                        time(
                                "running_ms",
                                YEAR_MS,
                                usual.runningMs(),
                                "Of an attempt without its pauses; then the run fails."))
                .optional(
                        time(
                                "paused_ms",
                                YEAR_MS,
                                usual.pausedMs(),
                                "Of a pause; then the run is cancelled."))
                .optional(
                        time(
                                "resuming_ms",
                                YEAR_MS,
                                usual.resumingMs(),
                                "Until it runs again; then it fails."))
                .optional(
                        time(
                                "retrying_ms",
                                YEAR_MS,
                                usual.retryingMs(),
                                "Until its next attempt; then it fails."))
                .optional(time("agent_ms", YEAR_MS, usual.agentMs(), "Of an agent."))
                .optional(time("task_ms", YEAR_MS, usual.taskMs(), "Of a task."))
                .optional(
                        time(
                                "step_ms",
                                steps,
                                usual.stepMs(),
                                "Of an attempt of a step that names no timeout_ms."))
                .optional(
                        time(
                                "planning_ms",
                                steps,
                                usual.planningMs(),
                                "Of an attempt of a planning step."));
    }

    static final ObjectSpec CREATE =
            ObjectSpec.named("RunCreate")
                    .example(
                            "{\"name\":\"research\",\"task\":\"Find out what it"
                                + " costs.\",\"max_tokens\":5000,\"plan\":{\"agents\":"
                                + "[{\"subtask\":\"Look.\",\"tasks\":[{\"name\":\"look\",\"steps\":"
                                + "[{\"name\":\"search\",\"tool\":\"search\"}]}]}]}}")
                    .required(text("name").length(1, NAME_MAX).pattern(RunSpecs.LINE))
                    .required(text("task").length(1, TASK_MAX).doc("For whoever plans it."))
                    .optional(
                            most(
                                    "max_tokens",
                                    1,
                                    RunBounds.TOKENS,
                                    USUAL.tokens(),
                                    "Of each attempt. Its start reserves the credits for them."))
                    .optional(
                            most(
                                    "max_agents",
                                    1,
                                    RunBounds.AGENTS,
                                    USUAL.agents(),
                                    "Of a plan, and at once."))
                    .optional(
                            most(
                                    "max_attempts",
                                    1,
                                    RunBounds.ATTEMPTS,
                                    USUAL.attempts(),
                                    "Of the run, the first included."))
                    .optional(
                            most(
                                    "max_replans",
                                    0,
                                    RunBounds.REPLANS,
                                    USUAL.replans(),
                                    "Further plans in an attempt."))
                    .optional(
                            oneOf("failure_mode", FailureMode.words())
                                    .orElse(FailureMode.FAIL_FAST.word())
                                    .doc("What the run does when an agent has failed for good."))
                    .optional(
                            oneOf("priority", Priority.words())
                                    .orElse(Priority.NORMAL.word())
                                    .doc("high is picked up, and claimed, first."))
                    .optional(
                            object("planner", PLANNER)
                                    .doc("Default: static with a plan, claim without one."))
                    .optional(
                            object("plan")
                                    .maxBytes(PLAN_BYTES_MAX)
                                    .doc("As POST /api/v1/runs/{run_id}/plan takes it."))
                    .optional(object("limits", LIMITS))
                    .optional(object("timeouts", TIMEOUTS).doc("In milliseconds."))
                    .optional(
                            object("tool_policies")
                                    .maxBytes(TOOL_POLICIES_BYTES)
                                    .maxDepth(TOOL_POLICIES_DEPTH)
                                    .doc(
                                            "By the name of a tool: allow (the default), confirm (a"
                                                    + " person says yes to each call first) or"
                                                    + " block. At most "
                                                    + TOOLS_MAX
                                                    + " tools."))
                    .optional(
                            object("context")
                                    .maxBytes(CONTEXT_BYTES_MAX)
                                    .maxDepth(CONTEXT_DEPTH_MAX)
                                    .doc(
                                            "Kept with the run and shown. decomposition and"
                                                    + " replan_count are the server's own."));

    static final ObjectSpec REASON = ObjectSpec.named("RunReason").optional(RunSpecs.reason());

    /// The whole document. Its own reader finds what is wrong with it; this describes it.
    static final ObjectSpec PLAN =
            ObjectSpec.named("RunPlanSent")
                    .unknown(ObjectSpec.Unknown.IGNORE)
                    .example(
                            "{\"agents\":[{\"subtask\":\"Look.\",\"tasks\":[{\"name\":\"look\","
                                    + "\"steps\":[{\"name\":\"search\",\"tool\":\"search\","
                                    + "\"input\":{\"query\":\"price\"}}]}]}]}")
                    .required(
                            array("agents", object("agent"))
                                    .items(1, RunBounds.AGENTS)
                                    .doc(
                                            "Each has subtask, and may have failure_mode,"
                                                    + " parallelism_mode and tasks; without tasks a"
                                                    + " worker plans them. A task has name and"
                                                    + " steps, and may have failure_mode,"
                                                    + " parallelism_mode and dependencies. A step"
                                                    + " has name and tool, and may have input,"
                                                    + " timeout_ms, max_attempts, max_tokens,"
                                                    + " output_schema and dependencies."));

    static final ObjectSpec RESOLVE =
            ObjectSpec.named("RunEscalationResolve")
                    .required(oneOf("action", "resume", "cancel").doc("What becomes of the run."))
                    .required(RunSpecs.note());

    static final ObjectSpec RESOLVED =
            RunSpecs.answer(
                    RecordSpecs.escalation("RunEscalationResolved")
                            .required(oneOf("run_status", RunStatus.words())));

    static final ObjectSpec DECISION = ObjectSpec.named("RunDecide").optional(RunSpecs.note());

    static final ObjectSpec DECIDED =
            RunSpecs.answer(
                    RecordSpecs.approval("RunApprovalDecided")
                            .required(oneOf("run_status", RunStatus.words())));

    static final ObjectSpec FORCE_FAIL =
            ObjectSpec.named("RunForceFail")
                    .example("{\"reason\":\"Timeout\"}")
                    .required(
                            RunSpecs.reason()
                                    .doc("Why. It becomes the run's last_error, and is audited."));

    /// What the operator has to know of a run of somebody else.
    static final ObjectSpec FORCE_FAILED =
            RunSpecs.answer(
                    ObjectSpec.answer("RunForceFailed")
                            .required(RunSpecs.org())
                            .required(RunSpecs.id("run_id", PublicId.RUN))
                            .required(
                                    oneOf("status", RunStatus.words())
                                            .doc("failed; cancelled where it was paused."))
                            .required(RunViewSpecs.attemptNumber("attempt_number"))
                            .required(text("last_error_code").nullable())
                            .required(text("last_error").nullable())
                            .required(RunSpecs.credits("credits_reserved"))
                            .required(RunSpecs.credits("credits_charged"))
                            .required(RunSpecs.credits("credits_refunded"))
                            .required(instant("completed_at").nullable())
                            .required(instant("cancelled_at").nullable()));
}
