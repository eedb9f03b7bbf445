package io.orchestrion.server.runs;

import static io.orchestrion.kernel.json.Field.any;
import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.number;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.IntegerField;
import io.orchestrion.kernel.json.ListField;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.plan.ParallelismMode;
import io.orchestrion.runs.read.WaitsFor;
import io.orchestrion.runs.run.PlannerMode;
import io.orchestrion.runs.run.Priority;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.runs.state.StepStatus;
import io.orchestrion.runs.state.TaskStatus;

import java.util.List;

/// Runs, agents, tasks and steps as they are answered.
final class RunViewSpecs {
    private RunViewSpecs() {}

    static final List<String> STEP_KINDS = List.of("tool", "run_plan", "agent_plan");
    private static final List<String> ATTEMPT_STATUSES =
            List.of("pending", "running", "completed", "failed", "cancelled");

    static final ObjectSpec WAITS_FOR =
            ObjectSpec.answer("RunWaitsFor")
                    .required(oneOf("on", WaitsFor.On.words()))
                    .required(text("id").nullable().doc("Of the approval or the escalation."))
                    .required(instant("until").nullable().doc("When it ends by itself."))
                    .required(text("type").nullable().doc("What workers claim it as."));

    static IntegerField count(String name) {
        return integer(name).range(0, Integer.MAX_VALUE);
    }

    static IntegerField attemptNumber(String name) {
        return integer(name).range(1, Integer.MAX_VALUE);
    }

    private static ObjectSpec run(String name, boolean whole) {
        ObjectSpec spec =
                ObjectSpec.answer(name)
                        .required(RunSpecs.id("id", PublicId.RUN))
                        .required(RunSpecs.id("run_id", PublicId.RUN).doc("The same as id."))
                        .required(RunSpecs.org())
                        .required(text("name"))
                        .required(text("task"))
                        .required(oneOf("status", RunStatus.words()));
        if (whole) {
            spec.required(
                    object("context")
                            .doc(
                                    "What was sent, with decomposition (the plan that is followed;"
                                            + " null while there is none) and replan_count."));
        }
        spec.required(oneOf("priority", Priority.words()))
                .required(oneOf("failure_mode", FailureMode.words()))
                .required(oneOf("planner_mode", PlannerMode.words()))
                .required(attemptNumber("attempt_number"))
                .required(attemptNumber("max_attempts"))
                .required(count("plan_version").doc("0 while there is no plan."))
                .required(count("replan_count"))
                .required(count("max_replans"))
                .required(attemptNumber("max_agents"))
                .required(integer("max_tokens").range(1, Long.MAX_VALUE))
                .required(count("agent_count").doc("Of the present attempt."))
                .required(count("task_count"))
                .required(count("step_count"))
                .required(count("steps_in_flight").doc("Given to workers, or waiting for one."));
        credits(spec)
                .required(instant("created_at"))
                .required(instant("started_at").nullable())
                .required(instant("running_at").nullable().doc("When its attempt began to run."))
                .required(instant("last_heartbeat").nullable())
                .required(
                        instant("deadline_at")
                                .nullable()
                                .doc("When its present status takes too long."))
                .required(instant("completed_at").nullable())
                .required(instant("cancelled_at").nullable())
                .required(integer("duration_ms").range(0, Long.MAX_VALUE).nullable())
                .required(text("last_error_code").nullable())
                .required(text("last_error").nullable())
                .required(text("pause_reason").nullable())
                .required(bool("escalated"))
                .required(RunSpecs.id("escalation_ticket_id", PublicId.TICKET).nullable());
        return whole
                ? spec.required(object("waits_for", WAITS_FOR).nullable())
                        .required(text("created_by"))
                : spec;
    }

    private static ObjectSpec credits(ObjectSpec spec) {
        return spec.required(RunSpecs.credits("credits_reserved"))
                .required(RunSpecs.credits("credits_charged"))
                .required(RunSpecs.credits("credits_refunded"))
                .required(RunSpecs.credits("credits_held").doc("For steps that are in flight."))
                .required(
                        RunSpecs.credits("credits_overage")
                                .doc("Used beyond the reservation, and not charged."));
    }

    static final ObjectSpec RUN = RunSpecs.answer(run("Run", true));

    static final ObjectSpec RUN_PAGE = RunSpecs.page("RunPage", run("RunListed", false));

    private static ObjectSpec lived(ObjectSpec spec) {
        return spec.required(instant("created_at"))
                .required(instant("not_before").nullable().doc("The end of a wait for a retry."))
                .required(instant("started_at").nullable())
                .required(instant("ended_at").nullable())
                .required(text("error_code").nullable())
                .required(text("error").nullable());
    }

    private static ObjectSpec agent(String name) {
        return lived(
                ObjectSpec.answer(name)
                        .required(RunSpecs.id("id", PublicId.AGENT))
                        .required(RunSpecs.id("run_id", PublicId.RUN))
                        .required(attemptNumber("attempt_number").doc("Of the run."))
                        .required(count("plan_version"))
                        .required(count("sequence_number"))
                        .required(oneOf("role", "planner", "worker"))
                        .required(text("subtask"))
                        .required(oneOf("status", AgentStatus.words()))
                        .required(oneOf("failure_mode", FailureMode.words()))
                        .required(oneOf("parallelism_mode", ParallelismMode.words()))
                        .required(attemptNumber("agent_attempt"))
                        .required(count("task_count"))
                        .required(count("tasks_open").doc("That have not ended."))
                        .required(bool("superseded").doc("Whether another plan replaced it.")));
    }

    static final ObjectSpec AGENT = RunSpecs.answer(agent("RunAgent"));
    static final ObjectSpec AGENT_PAGE = RunSpecs.page("RunAgentPage", agent("RunAgentListed"));

    private static ObjectSpec task(String name) {
        return lived(
                ObjectSpec.answer(name)
                        .required(RunSpecs.id("id", PublicId.TASK))
                        .required(RunSpecs.id("run_id", PublicId.RUN))
                        .required(RunSpecs.id("agent_id", PublicId.AGENT))
                        .required(attemptNumber("attempt_number").doc("Of the run."))
                        .required(count("sequence_number"))
                        .required(text("name"))
                        .required(oneOf("status", TaskStatus.words()))
                        .required(oneOf("failure_mode", FailureMode.words()))
                        .required(oneOf("parallelism_mode", ParallelismMode.words()))
                        .required(names("dependencies"))
                        .required(attemptNumber("task_attempt"))
                        .required(count("step_count"))
                        .required(count("steps_open").doc("That have not ended."))
                        .required(text("skip_reason").nullable()));
    }

    private static ListField names(String name) {
        return array(name, text("name"));
    }

    static final ObjectSpec TASK = RunSpecs.answer(task("RunTask"));
    static final ObjectSpec TASK_PAGE = RunSpecs.page("RunTaskPage", task("RunTaskListed"));

    private static ObjectSpec step(String name, boolean whole) {
        ObjectSpec spec =
                ObjectSpec.answer(name)
                        .required(RunSpecs.id("id", PublicId.STEP))
                        .required(RunSpecs.id("run_id", PublicId.RUN))
                        .required(RunSpecs.id("agent_id", PublicId.AGENT))
                        .required(RunSpecs.id("task_id", PublicId.TASK))
                        .required(count("sequence_number"))
                        .required(text("name"))
                        .required(oneOf("kind", STEP_KINDS))
                        .required(text("tool"))
                        .required(oneOf("status", StepStatus.words()))
                        .required(oneOf("parallelism_mode", ParallelismMode.words()))
                        .required(names("dependencies"))
                        .required(text("idempotency_key").doc("The same for each attempt."))
                        .required(count("attempt_count").doc("Attempts so far."))
                        .required(attemptNumber("max_attempts"))
                        .required(integer("timeout_ms").range(1, Long.MAX_VALUE).nullable())
                        .required(integer("max_tokens").range(1, Long.MAX_VALUE).nullable())
                        .required(oneOf("policy", "allow", "confirm"))
                        .required(
                                text("open_attempt_id")
                                        .nullable()
                                        .doc("Of the attempt that is under way."))
                        .required(count("output_bytes").nullable())
                        .required(text("skip_reason").nullable());
        if (whole) {
            spec.required(any("input")).required(any("output").nullable());
        }
        return lived(spec)
                .required(tokens())
                .required(RunSpecs.credits("credits_charged"))
                .required(object("waits_for", WAITS_FOR).nullable());
    }

    static final ObjectSpec STEP_PAGE = RunSpecs.page("RunStepPage", step("RunStepListed", false));

    private static IntegerField tokens() {
        return integer("tokens").range(0, Long.MAX_VALUE).doc("Reported by workers so far.");
    }

    private static final ObjectSpec STEP_ATTEMPT =
            ObjectSpec.answer("RunStepAttempt")
                    .required(RunSpecs.id("id", PublicId.ATTEMPT))
                    .required(text("work_id").doc("What a worker claims at /v1/tasks."))
                    .required(attemptNumber("run_attempt"))
                    .required(attemptNumber("agent_attempt"))
                    .required(attemptNumber("task_attempt"))
                    .required(attemptNumber("attempt_number"))
                    .required(oneOf("status", ATTEMPT_STATUSES))
                    .required(instant("created_at"))
                    .required(instant("not_before").nullable())
                    .required(instant("started_at").nullable())
                    .required(instant("ended_at").nullable())
                    .required(text("error_code").nullable())
                    .required(integer("error_http_status").range(0, 999).nullable())
                    .required(text("error").nullable())
                    .required(count("retry_after_seconds").nullable())
                    .required(text("worker_id").nullable())
                    .required(text("logs_ref").nullable())
                    .required(integer("tokens").range(0, Long.MAX_VALUE).nullable())
                    .required(number("credits_charged").nullable());

    static final ObjectSpec STEP =
            RunSpecs.answer(
                    step("RunStep", true)
                            .required(objects("attempts", STEP_ATTEMPT).doc("Oldest first."))
                            .required(text("attempts_next_cursor").nullable()));

    private static final ObjectSpec NODE =
            ObjectSpec.answer("RunTreeNode")
                    .required(oneOf("level", "agent", "task", "step"))
                    .required(text("id"))
                    .required(text("parent_id").doc("Of the run for an agent."))
                    .required(count("sequence_number"))
                    .required(text("name").doc("Of an agent, its subtask."))
                    .required(text("status"))
                    .required(text("tool").nullable())
                    .required(count("attempts").doc("How often it was begun."))
                    .required(instant("created_at"))
                    .required(instant("started_at").nullable())
                    .required(instant("ended_at").nullable())
                    .required(tokens())
                    .required(RunSpecs.credits("credits_charged").doc("So far."))
                    .required(text("error").nullable())
                    .required(object("waits_for", WAITS_FOR).nullable());

    static final ObjectSpec SEEN =
            RunSpecs.answer(
                    run("RunSeen", true)
                            .optional(
                                    objects("tree", NODE)
                                            .doc(
                                                    "With expand=tree: each agent of the attempt,"
                                                        + " followed by its tasks, each followed by"
                                                        + " its steps."))
                            .optional(text("tree_next_cursor").nullable()));
}
