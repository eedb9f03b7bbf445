package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

/// Tickets by which people were called for runs. From [Runs#escalations]. To resolve
/// one, the key needs the scope `operator` or `admin`.
///
/// ```java
/// Escalations escalations = client.runs().escalations();
/// for (RunEscalation ticket : escalations.list("open", null, null, null).items()) {
///     escalations.resume(ticket.id(), "the service is back");
/// }
/// ```
public final class Escalations {
    private static final String ESCALATIONS = Runs.ROOT + "/escalations";

    private final Transport transport;

    Escalations(Transport transport) {
        this.transport = transport;
    }

    /// A page of tickets, newest first.
    ///
    /// @param status `open`, `resolved` or `closed`; null for all
    /// @param runId null for all
    /// @param limit 1 to 100; null for the server's default
    /// @param cursor the cursor of the page before; null for the first page
    public Page<RunEscalation> list(
            @Nullable String status,
            @Nullable String runId,
            @Nullable Integer limit,
            @Nullable String cursor) {
        var asked = Parameters.page(limit, cursor).with("status", status).with("run_id", runId);
        return transport.send(
                Call.get(ESCALATIONS + asked), OrchestrationWire.page(RunWire::escalation));
    }

    /// One ticket.
    public RunEscalation get(String id) {
        return transport.send(
                Call.get(ESCALATIONS + "/" + Parameters.encoded(id)), RunWire::escalation);
    }

    /// Has the run go on. Errors of before are no longer counted.
    ///
    /// @param note why, for those who look later, 1 to 500 characters
    public RunEscalation resume(String id, String note) {
        return resolve(id, "resume", note);
    }

    /// Cancels the run.
    public RunEscalation cancel(String id, String note) {
        return resolve(id, "cancel", note);
    }

    private RunEscalation resolve(String id, String action, String note) {
        ObjectNode body = Json.object().put("action", action).put("note", note);
        String path = ESCALATIONS + "/" + Parameters.encoded(id) + "/resolve";
        return transport.send(Runs.keyed(Call.post(path, body)), RunWire::escalation);
    }
}
