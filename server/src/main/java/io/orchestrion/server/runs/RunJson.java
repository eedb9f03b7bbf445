package io.orchestrion.server.runs;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.read.WaitsFor;
import io.orchestrion.runs.run.Bounds;
import io.orchestrion.runs.run.Counts;
import io.orchestrion.runs.run.Credits;
import io.orchestrion.runs.run.Note;
import io.orchestrion.runs.run.Progress;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.run.Times;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Runs as the door shows them.
final class RunJson {
    private static final JsonMapper JSON = JsonMapper.shared();

    private RunJson() {}

    /// @param decomposition JSON text of the plan that is followed; null while there is none
    static void whole(JsonWriter out, Run run, @Nullable String decomposition) {
        write(out, run, context(run, decomposition));
        WaitsFor waits = WaitsFor.of(run);
        waitsFor(out, waits);
        out.text("created_by", run.asked().createdBy());
    }

    /// As lists have it.
    static void listed(JsonWriter out, Run run) {
        write(out, run, null);
    }

    /// What the caller sent, with what the engine keeps there. The engine's words are its own.
    private static String context(Run run, @Nullable String decomposition) {
        JsonNode sent = run.asked().context() == null ? null : JSON.readTree(run.asked().context());
        ObjectNode context =
                sent instanceof ObjectNode object ? object.deepCopy() : JSON.createObjectNode();
        context.set(
                "decomposition",
                decomposition == null ? JSON.nullNode() : JSON.readTree(decomposition));
        context.put("replan_count", run.progress().replans());
        return context.toString();
    }

    private static void write(JsonWriter out, Run run, @Nullable String context) {
        out.text("id", PublicId.RUN.of(run.id()))
                .text("run_id", PublicId.RUN.of(run.id()))
                .text("org_id", run.account().toString())
                .text("name", run.asked().name())
                .text("task", run.asked().task())
                .text("status", run.status().word());
        if (context != null) {
            out.raw("context", context);
        }
        Bounds bounds = run.bounds();
        Progress progress = run.progress();
        Counts counts = run.counts();
        out.text("priority", run.asked().priority().word())
                .text("failure_mode", run.asked().failureMode().word())
                .text("planner_mode", run.asked().planner().word())
                .integer("attempt_number", progress.attempt())
                .integer("max_attempts", bounds.attempts())
                .integer("plan_version", progress.planVersion())
                .integer("replan_count", progress.replans())
                .integer("max_replans", bounds.replans())
                .integer("max_agents", bounds.agents())
                .integer("max_tokens", bounds.tokens())
                .integer("agent_count", counts.agents())
                .integer("task_count", counts.tasks())
                .integer("step_count", counts.steps())
                .integer("steps_in_flight", progress.inFlight());
        Credits credits = run.credits();
        out.number("credits_reserved", Amounts.plain(credits.reserved()))
                .number("credits_charged", Amounts.plain(credits.charged()))
                .number("credits_refunded", Amounts.plain(credits.refunded()))
                .number("credits_held", Amounts.plain(credits.held()))
                .number("credits_overage", Amounts.plain(credits.over()));
        Times times = run.times();
        out.instant("created_at", times.createdMs())
                .instantOrNull("started_at", times.startedMs())
                .instantOrNull("running_at", times.runningMs())
                .instantOrNull("last_heartbeat", times.heartbeatMs())
                .instantOrNull("deadline_at", times.deadlineMs())
                .instantOrNull("completed_at", times.ends().completedMs())
                .instantOrNull("cancelled_at", times.ends().cancelledMs())
                .integer("duration_ms", times.ends().durationMs());
        Note note = run.note();
        out.text("last_error_code", note.errorCode())
                .text("last_error", note.error())
                .text("pause_reason", note.pauseReason())
                .bool("escalated", note.escalated())
                .text("escalation_ticket_id", PublicId.TICKET.ofNullable(note.ticket()));
    }

    static void waitsFor(JsonWriter out, @Nullable WaitsFor waits) {
        if (waits == null) {
            out.nil("waits_for");
            return;
        }
        out.object(
                "waits_for",
                each ->
                        each.text("on", waits.on().word())
                                .text(
                                        "id",
                                        waits.id() == null
                                                ? null
                                                : waits.on() == WaitsFor.On.ESCALATION
                                                        ? PublicId.TICKET.of(waits.id())
                                                        : waits.id().toString())
                                .instantOrNull("until", waits.untilMs())
                                .text("type", waits.type()));
    }
}
