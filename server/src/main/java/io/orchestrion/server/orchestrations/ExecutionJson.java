package io.orchestrion.server.orchestrations;

import io.orchestrion.kernel.events.SubjectLine;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.orchestrations.execution.Execution;
import io.orchestrion.orchestrations.execution.ExecutionReads.Blocked;
import io.orchestrion.orchestrations.execution.StepAttempt;
import io.orchestrion.orchestrations.execution.StepError;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.Locale;

/// Executions and attempts of steps as the door shows them.
final class ExecutionJson {
    private static final JsonMapper JSON = JsonMapper.shared();

    private ExecutionJson() {}

    static void whole(JsonWriter out, Execution execution) {
        write(out, execution, true);
    }

    /// As lists have it.
    static void listed(JsonWriter out, Execution execution) {
        write(out, execution, false);
    }

    private static void write(JsonWriter out, Execution execution, boolean whole) {
        Execution.Asked asked = execution.asked();
        out.text("execution_id", execution.id().toString())
                .text("tenant_id", execution.account().toString())
                .text("definition_id", execution.definition().id().toString())
                .integer("definition_version", execution.definition().version())
                .text("status", execution.status().word())
                .text("target_object_type", asked.target().type())
                .text("target_object_id", asked.target().id());
        if (whole) {
            out.raw("input", asked.input()).raw("output", execution.ending().output());
        }
        error(out, execution.ending().error());
        out.text("correlation_id", asked.correlationId())
                .text("idempotency_key", asked.idempotencyKey())
                .integer("attempt_count", execution.attemptCount())
                .bool("compensated", execution.ending().compensated())
                .bool("reviewed", execution.ending().reviewed())
                .instant("started_at", execution.times().startedMs());
        out.instantOrNull("completed_at", execution.times().completedMs());
    }

    private static void error(JsonWriter out, @Nullable StepError error) {
        if (error == null) {
            out.nil("error");
            return;
        }
        out.object(
                "error",
                each -> {
                    each.text("error_class", error.errorClass().name()).text("code", error.code());
                    status(each, "http_status", error.httpStatus());
                    each.text("summary", error.summary());
                });
    }

    private static void status(JsonWriter out, String name, @Nullable Integer status) {
        out.integer(name, status == null ? null : Long.valueOf(status));
    }

    /// @param name of the step, as its definition has it
    static void step(JsonWriter out, StepAttempt attempt, String name) {
        StepAttempt.Place place = attempt.place();
        StepAttempt.Times times = attempt.times();
        StepAttempt.Ended ended = attempt.ended();
        out.text("step_execution_id", attempt.id().toString())
                .text("execution_id", attempt.execution().toString())
                .text("step_id", place.stepId())
                .text("name", name)
                .text("step_type", place.type().word())
                .text("kind", place.kind().word())
                .integer("attempt_number", place.number())
                .text("status", attempt.status().word())
                .text("idempotency_key", attempt.key().value())
                .text("idempotency_strategy", attempt.key().declared().name())
                .instant("created_at", times.createdMs());
        out.instantOrNull("retry_after_at", times.retryAfterMs());
        out.instantOrNull("started_at", times.startedMs());
        out.instantOrNull("finished_at", times.finishedMs());
        out.instantOrNull("deadline_at", times.deadlineMs());
        StepError error = ended.error();
        if (error == null) {
            out.nil("error_class").nil("error_code").nil("error_http_status").nil("error_summary");
        } else {
            out.text("error_class", error.errorClass().name()).text("error_code", error.code());
            status(out, "error_http_status", error.httpStatus());
            out.text("error_summary", error.summary());
        }
        out.bool("error_overridden", error != null && error.overridden())
                .raw("result", ended.result())
                .text("logs_ref", ended.logsRef())
                .raw("usage", ended.usage())
                .raw("decision", ended.decision());
    }

    static void blocked(JsonWriter out, Blocked blocked) {
        out.text("on", blocked.on().name().toLowerCase(Locale.ROOT))
                .text("id", blocked.id().toString())
                .text("step_id", blocked.stepId());
        out.instantOrNull("until", blocked.untilMs());
    }

    static void transition(JsonWriter out, SubjectLine line) {
        JsonNode data = JSON.readTree(line.event().data() == null ? "{}" : line.event().data());
        out.integer("seq", line.seq())
                .text("event", line.event().event())
                .text("from", line.event().from())
                .text("to", line.event().to())
                .instant("at", line.atMs())
                .text("actor", data.path("actor").asString("engine"))
                .text(
                        "reason",
                        data.path("reason").isString() ? data.path("reason").stringValue() : null)
                .integer("attempt_count", data.path("attempt_count").asLong(1));
    }
}
