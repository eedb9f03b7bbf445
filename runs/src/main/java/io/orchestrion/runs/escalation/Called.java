package io.orchestrion.runs.escalation;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.runs.id.PublicId;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// What people are called for.
///
/// @param severity of the ticket
/// @param trigger why it was opened
/// @param holds whether the run waits for an answer
public record Called(
        UUID ticket,
        UUID run,
        String severity,
        String trigger,
        @Nullable String errorCode,
        String error,
        boolean holds,
        long createdMs) {

    /// As it is sent.
    String json(UUID account) {
        String ticketId = PublicId.TICKET.of(ticket);
        String runId = PublicId.RUN.of(run);
        return JsonWriter.objectText(
                out ->
                        out.text("event", "run.escalated")
                                .text("severity", severity)
                                .text(
                                        "message",
                                        "Escalation ticket " + ticketId + " for run " + runId)
                                .text("ticket_id", ticketId)
                                .text("run_id", runId)
                                .text("org_id", account.toString())
                                .text("trigger", trigger)
                                .object(
                                        "error",
                                        each -> each.text("code", errorCode).text("message", error))
                                .bool("holds_run", holds)
                                .instant("created_at", createdMs));
    }
}
