package io.orchestrion.server.runs;

import io.orchestrion.kernel.events.SubjectEvent;
import io.orchestrion.kernel.events.SubjectLine;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.read.ApprovalView;
import io.orchestrion.runs.read.StuckRun;
import io.orchestrion.runs.read.TicketView;
import io.orchestrion.runs.run.Decision;
import io.orchestrion.runs.run.PlanVersion;
import io.orchestrion.runs.run.RunAttempt;
import io.orchestrion.runs.run.Transition;

import org.jspecify.annotations.Nullable;

/// What is kept of runs beside themselves, as the door shows it.
final class RecordJson {
    private RecordJson() {}

    static void attempt(JsonWriter out, RunAttempt attempt) {
        out.text("run_id", PublicId.RUN.of(attempt.run()))
                .integer("attempt_number", attempt.number())
                .text("outcome", attempt.outcome() == null ? null : attempt.outcome().word())
                .number("credits_reserved", Amounts.plain(attempt.credits().reserved()))
                .number("credits_charged", Amounts.plain(attempt.credits().charged()))
                .number("credits_refunded", Amounts.plain(attempt.credits().refunded()))
                .text("error_code", attempt.errorCode())
                .text("error", attempt.error())
                .instant("started_at", attempt.startedMs())
                .instantOrNull("ended_at", attempt.endedMs());
    }

    static void transition(JsonWriter out, Transition transition) {
        out.integer("number", transition.number())
                .integer("attempt_number", transition.attempt())
                .text("from", transition.from() == null ? null : transition.from().word())
                .text("to", transition.to().word())
                .text("actor", transition.actor())
                .text("reason", transition.reason())
                .instant("at", transition.atMs());
    }

    static void decision(JsonWriter out, Decision decision) {
        PublicId subject =
                switch (decision.level()) {
                    case STEP -> PublicId.STEP;
                    case TASK -> PublicId.TASK;
                    case AGENT -> PublicId.AGENT;
                    case RUN -> PublicId.RUN;
                };
        out.text("id", decision.id().toString())
                .integer("attempt_number", decision.attempt())
                .text("level", decision.level().word())
                .text("subject_id", subject.of(decision.subject()))
                .text("decision", decision.kind().word())
                .text("trigger", decision.trigger())
                .raw("inputs", decision.inputs())
                .raw("outcome", decision.outcome())
                .instant("at", decision.atMs());
    }

    static void plan(JsonWriter out, PlanVersion plan) {
        out.integer("attempt_number", plan.attempt())
                .integer("plan_version", plan.version())
                .text("source", plan.source().word())
                .text("made_by", plan.madeBy())
                .raw("decomposition", plan.document())
                .raw("failure_analysis", plan.failureAnalysis())
                .instant("created_at", plan.atMs());
    }

    static void event(JsonWriter out, SubjectLine line) {
        SubjectEvent event = line.event();
        out.integer("seq", event.seq())
                .text("event", event.kind() + "." + event.event())
                .text("from", event.from())
                .text("to", event.to())
                .instant("at", line.atMs())
                .raw("data", event.data());
    }

    static void escalation(JsonWriter out, TicketView ticket) {
        TicketView.@Nullable Resolved resolved = ticket.resolved();
        out.text("id", PublicId.TICKET.of(ticket.id()))
                .text("run_id", PublicId.RUN.of(ticket.run()))
                .text("status", ticket.status())
                .text("severity", ticket.severity())
                .text("trigger", ticket.why().trigger())
                .text("last_trigger", ticket.why().last())
                .integer("added", ticket.added())
                .text("error_code", ticket.why().errorCode())
                .text("error", ticket.why().error())
                .bool("holds", ticket.holds())
                .instant("created_at", ticket.createdMs())
                .instantOrNull("resolved_at", resolved == null ? null : resolved.atMs())
                .text("resolved_by", resolved == null ? null : resolved.by())
                .text("resolution", resolved == null ? null : resolved.how())
                .text("note", resolved == null ? null : resolved.note());
    }

    static void approval(JsonWriter out, ApprovalView approval) {
        ApprovalView.@Nullable Decided decided = approval.decided();
        out.text("id", approval.id().toString())
                .text("run_id", PublicId.RUN.of(approval.run()))
                .text("step_id", PublicId.STEP.of(approval.step()))
                .integer("attempt_number", approval.attempt())
                .text("status", approval.status())
                .text("tool", approval.tool())
                .raw("input", approval.input())
                .instant("requested_at", approval.requestedMs())
                .instantOrNull("decided_at", decided == null ? null : decided.atMs())
                .text("decided_by", decided == null ? null : decided.by())
                .text("note", decided == null ? null : decided.note());
    }

    static void stuck(JsonWriter out, StuckRun run) {
        out.text("org_id", run.account().toString())
                .text("run_id", PublicId.RUN.of(run.id()))
                .integer("attempt_number", run.attempt())
                .text("why", run.silent() ? "no_heartbeat" : "too_long")
                .integer("running_ms", run.activeMs())
                .instantOrNull("last_heartbeat", run.heartbeatMs())
                .number("credits_reserved", Amounts.plain(run.reserved()))
                .number("credits_charged", Amounts.plain(run.charged()));
    }
}
