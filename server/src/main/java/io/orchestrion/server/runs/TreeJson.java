package io.orchestrion.server.runs;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.read.AgentView;
import io.orchestrion.runs.read.RunTree;
import io.orchestrion.runs.read.Spent;
import io.orchestrion.runs.read.StepAttemptView;
import io.orchestrion.runs.read.StepView;
import io.orchestrion.runs.read.TaskView;
import io.orchestrion.runs.read.WaitsFor;
import io.orchestrion.runs.run.Run;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.UUID;

/// Agents, tasks and steps as the door shows them.
final class TreeJson {
    private TreeJson() {}

    static void agent(JsonWriter out, AgentView agent) {
        AgentView.Place place = agent.place();
        out.text("id", PublicId.AGENT.of(agent.id()))
                .text("run_id", PublicId.RUN.of(agent.run()))
                .integer("attempt_number", place.attempt())
                .integer("plan_version", place.planVersion())
                .integer("sequence_number", place.sequence())
                .text("role", place.planner() ? "planner" : "worker")
                .text("subtask", agent.subtask())
                .text("status", agent.status().word())
                .text("failure_mode", agent.failureMode().word())
                .text("parallelism_mode", agent.mode().word())
                .integer("agent_attempt", agent.tasks().begun())
                .integer("task_count", agent.tasks().count())
                .integer("tasks_open", agent.tasks().open())
                .bool("superseded", place.superseded());
        lived(out, agent.lived(), agent.trouble());
    }

    static void task(JsonWriter out, TaskView task) {
        TaskView.Place place = task.place();
        out.text("id", PublicId.TASK.of(task.id()))
                .text("run_id", PublicId.RUN.of(place.run()))
                .text("agent_id", PublicId.AGENT.of(place.agent()))
                .integer("attempt_number", place.runAttempt())
                .integer("sequence_number", place.sequence())
                .text("name", task.name())
                .text("status", task.status().word())
                .text("failure_mode", task.failureMode().word())
                .text("parallelism_mode", task.mode().word())
                .texts("dependencies", place.dependencies())
                .integer("task_attempt", task.steps().begun())
                .integer("step_count", task.steps().count())
                .integer("steps_open", task.steps().open())
                .text("skip_reason", task.skipReason());
        lived(out, task.lived(), task.trouble());
    }

    static void listed(JsonWriter out, Run run, StepView step, @Nullable Spent spent, long nowMs) {
        step(out, run, step, spent, nowMs, false);
    }

    static void whole(JsonWriter out, Run run, StepView step, @Nullable Spent spent, long nowMs) {
        step(out, run, step, spent, nowMs, true);
    }

    private static void step(
            JsonWriter out,
            Run run,
            StepView step,
            @Nullable Spent spent,
            long nowMs,
            boolean whole) {
        StepView.Place place = step.place();
        StepView.Call call = step.call();
        StepView.Open open = step.attempts().open();
        Integer bytes = step.output().bytes();
        out.text("id", PublicId.STEP.of(step.id()))
                .text("run_id", PublicId.RUN.of(place.run()))
                .text("agent_id", PublicId.AGENT.of(place.agent()))
                .text("task_id", PublicId.TASK.of(place.task()))
                .integer("sequence_number", place.sequence())
                .text("name", step.name())
                .text("kind", call.kind())
                .text("tool", call.tool())
                .text("status", step.status().word())
                .text("parallelism_mode", place.mode().word())
                .texts("dependencies", place.dependencies())
                .text("idempotency_key", call.key())
                .integer("attempt_count", step.attempts().made())
                .integer("max_attempts", call.maxAttempts())
                .integer("timeout_ms", call.timeoutMs())
                .integer("max_tokens", call.maxTokens())
                .text("policy", call.policy())
                .text(
                        "open_attempt_id",
                        open == null || open.approval() ? null : PublicId.ATTEMPT.of(open.id()))
                .integer("output_bytes", bytes == null ? null : Long.valueOf(bytes))
                .text("skip_reason", step.skipReason());
        if (whole) {
            out.raw("input", call.input()).raw("output", step.output().json());
        }
        lived(out, step.lived(), step.trouble());
        spent(out, spent);
        RunJson.waitsFor(out, WaitsFor.of(run, step, nowMs));
    }

    private static JsonWriter spent(JsonWriter out, @Nullable Spent spent) {
        Spent known = spent == null ? Spent.NOTHING : spent;
        return out.integer("tokens", known.tokens())
                .number("credits_charged", Amounts.plain(known.charged()));
    }

    private static void lived(
            JsonWriter out, AgentView.Lived lived, AgentView.@Nullable Trouble trouble) {
        out.instant("created_at", lived.createdMs())
                .instantOrNull("not_before", lived.notBeforeMs())
                .instantOrNull("started_at", lived.startedMs())
                .instantOrNull("ended_at", lived.endedMs())
                .text("error_code", trouble == null ? null : trouble.code())
                .text("error", trouble == null ? null : trouble.message());
    }

    static void attempt(JsonWriter out, StepAttemptView attempt) {
        StepAttemptView.Number number = attempt.number();
        StepAttemptView.Times times = attempt.times();
        StepAttemptView.Failed failed = attempt.failed();
        out.text("id", PublicId.ATTEMPT.of(attempt.id()))
                .text("work_id", attempt.id().toString())
                .integer("run_attempt", number.run())
                .integer("agent_attempt", number.agent())
                .integer("task_attempt", number.task())
                .integer("attempt_number", number.own())
                .text("status", attempt.status())
                .instant("created_at", times.createdMs())
                .instantOrNull("not_before", times.notBeforeMs())
                .instantOrNull("started_at", times.startedMs())
                .instantOrNull("ended_at", times.endedMs());
        if (failed == null) {
            out.nil("error_code").nil("error_http_status").nil("error").nil("retry_after_seconds");
        } else {
            out.text("error_code", failed.code())
                    .integer("error_http_status", asLong(failed.httpStatus()))
                    .text("error", failed.message())
                    .integer("retry_after_seconds", asLong(failed.retryAfterSeconds()));
        }
        out.text("worker_id", attempt.worker())
                .text("logs_ref", attempt.logsRef())
                .integer("tokens", attempt.used().tokens())
                .number("credits_charged", Amounts.plain(attempt.used().credits()));
    }

    private static @Nullable Long asLong(@Nullable Integer value) {
        return value == null ? null : Long.valueOf(value);
    }

    static void node(
            JsonWriter out, Run run, RunTree.Node node, Map<UUID, Spent> costs, long nowMs) {
        switch (node) {
            case RunTree.Node.Agent(var agent) -> {
                head(out, "agent", PublicId.AGENT.of(agent.id()), PublicId.RUN.of(run.id()));
                out.integer("sequence_number", agent.place().sequence())
                        .text("name", agent.subtask())
                        .text("status", agent.status().word())
                        .nil("tool")
                        .integer("attempts", agent.tasks().begun());
                tail(out, agent.lived(), agent.trouble(), costs.get(agent.id()));
                RunJson.waitsFor(out, WaitsFor.of(run, agent, nowMs));
            }
            case RunTree.Node.Task(var agent, var task) -> {
                head(out, "task", PublicId.TASK.of(task.id()), PublicId.AGENT.of(agent.id()));
                out.integer("sequence_number", task.place().sequence())
                        .text("name", task.name())
                        .text("status", task.status().word())
                        .nil("tool")
                        .integer("attempts", task.steps().begun());
                tail(out, task.lived(), task.trouble(), costs.get(task.id()));
                RunJson.waitsFor(out, WaitsFor.of(run, agent.status(), task, nowMs));
            }
            case RunTree.Node.Step(_, var task, var step) -> {
                head(out, "step", PublicId.STEP.of(step.id()), PublicId.TASK.of(task.id()));
                out.integer("sequence_number", step.place().sequence())
                        .text("name", step.name())
                        .text("status", step.status().word())
                        .text("tool", step.call().tool())
                        .integer("attempts", step.attempts().made());
                tail(out, step.lived(), step.trouble(), costs.get(step.id()));
                RunJson.waitsFor(out, WaitsFor.of(run, step, nowMs));
            }
        }
    }

    private static void head(JsonWriter out, String level, String id, String parent) {
        out.text("level", level).text("id", id).text("parent_id", parent);
    }

    private static void tail(
            JsonWriter out,
            AgentView.Lived lived,
            AgentView.@Nullable Trouble trouble,
            @Nullable Spent spent) {
        out.instant("created_at", lived.createdMs())
                .instantOrNull("started_at", lived.startedMs())
                .instantOrNull("ended_at", lived.endedMs());
        spent(out, spent).text("error", trouble == null ? null : trouble.message());
    }
}
