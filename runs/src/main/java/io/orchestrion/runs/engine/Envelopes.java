package io.orchestrion.runs.engine;

import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.plan.ParallelismMode;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.tree.Agent;
import io.orchestrion.runs.tree.Step;
import io.orchestrion.runs.tree.StepAttempt;
import io.orchestrion.runs.tree.StepSql;
import io.orchestrion.runs.tree.StepSql.Given;
import io.orchestrion.runs.tree.Task;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// What a worker is given with a step: ids, key, times, input, and what the steps right before it
/// gave. Large outputs are named and not repeated, so that what is stored grows with the work.
final class Envelopes {
    /// A larger output is only named.
    static final int INLINE_BYTES = 8 * 1024;

    /// All outputs in one payload.
    private static final int INLINE_IN_ALL = 64 * 1024;

    /// Outputs that one payload tells of.
    static final int OUTPUTS = 100;

    static final JsonMapper JSON = JsonMapper.shared();

    private final Turn turn;

    Envelopes(Turn turn) {
        this.turn = turn;
    }

    String of(Agent agent, Task task, Step step, StepAttempt attempt, long timeoutMs)
            throws SQLException {
        Run run = turn.run();
        ObjectNode out = JSON.createObjectNode();
        out.put("org_id", run.account().toString());
        out.put("run_id", PublicId.RUN.of(run.id()));
        out.put("run_attempt", run.attempt());
        out.put("agent_id", PublicId.AGENT.of(agent.id()));
        out.put("task_id", PublicId.TASK.of(task.id()));
        out.put("step_id", PublicId.STEP.of(step.id()));
        out.put("step_attempt_id", PublicId.ATTEMPT.of(attempt.id()));
        out.put("name", step.home().name());
        out.put("tool", step.call().tool());
        out.put("attempt_number", attempt.number().ofStep());
        out.put("max_attempts", step.call().maxAttempts());
        out.put("idempotency_key", step.call().key());
        out.put("message_id", attempt.number().message(run.id(), step.id()));
        out.put("correlation_id", PublicId.RUN.of(run.id()));
        if (run.asked().trace() != null) {
            out.put("traceparent", run.asked().trace());
        }
        out.put("timeout_ms", timeoutMs);
        out.put("deadline_at", deadline(agent, task, run));
        if (step.call().maxTokens() != null) {
            out.put("max_tokens", step.call().maxTokens());
        }
        out.putRawValue("input", new RawValue(step.call().input()));
        ObjectNode outputs = out.putObject("outputs");
        put(outputs, before(agent, task, step));
        return out.toString();
    }

    /// When the step is ended by what it is a part of, whenever it begins.
    private static @Nullable String deadline(Agent agent, Task task, Run run) {
        return Stream.of(
                        java.util.Optional.ofNullable(agent.clock().deadlineMs()),
                        java.util.Optional.ofNullable(task.clock().deadlineMs()),
                        java.util.Optional.ofNullable(run.times().deadlineMs()))
                .flatMap(java.util.Optional::stream)
                .min(Long::compare)
                .map(each -> Instant.ofEpochMilli(each).toString())
                .orElse(null);
    }

    /// What a step builds on: the steps that it depends on; else the one right before it where they
    /// go one after the other; and for the first of its task the same of tasks.
    private List<Given> before(Agent agent, Task task, Step step) throws SQLException {
        if (step.home().kind() != Step.Kind.TOOL) {
            return List.of();
        }
        if (!step.links().dependencies().isEmpty()) {
            return StepSql.outputs(
                    turn.tx(), turn.account(), task.id(), step.links().dependencies());
        }
        if (step.home().sequence() > 0) {
            return task.spec().parallelism() == ParallelismMode.SEQUENTIAL
                    ? StepSql.outputsBefore(
                            turn.tx(), turn.account(), task.id(), step.home().sequence(), 1)
                    : List.of();
        }
        int place = task.home().sequence();
        if (!task.links().dependencies().isEmpty()) {
            return StepSql.outputsOfTasks(
                    turn.tx(),
                    turn.account(),
                    agent.id(),
                    0,
                    place - 1,
                    task.links().dependencies(),
                    OUTPUTS);
        }
        return place > 0 && agent.spec().parallelism() == ParallelismMode.SEQUENTIAL
                ? StepSql.outputsOfTasks(
                        turn.tx(), turn.account(), agent.id(), place - 1, place - 1, null, 1)
                : List.of();
    }

    static void put(ObjectNode outputs, List<Given> given) {
        int room = INLINE_IN_ALL;
        for (Given each : given) {
            boolean inline = each.bytes() <= INLINE_BYTES && each.bytes() <= room;
            if (inline) {
                room -= each.bytes();
                outputs.putRawValue(each.name(), new RawValue(each.output()));
            } else {
                ObjectNode reference = outputs.putObject(each.name());
                reference.put("$output", PublicId.STEP.of(each.id()));
                reference.put("bytes", each.bytes());
            }
        }
    }

    /// How many tokens an attempt says that it used; 0 where it does not say so.
    static long tokens(@Nullable String usage) {
        if (usage == null) {
            return 0;
        }
        try {
            JsonNode tokens = JSON.readTree(usage).path("tokens");
            return tokens.isNumber()
                    ? Math.clamp(Math.round(tokens.doubleValue()), 0, TOKENS_MAX)
                    : 0;
        } catch (JacksonException e) {
            return 0;
        }
    }

    /// More than any model has used in one go; bounds what is stored.
    private static final long TOKENS_MAX = 1_000_000_000L;

    static String text(@Nullable String json) {
        return Objects.requireNonNullElse(json, "null");
    }
}
