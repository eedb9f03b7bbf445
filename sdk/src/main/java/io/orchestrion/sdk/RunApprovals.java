package io.orchestrion.sdk;

import static io.orchestrion.sdk.OrchestrionClient.putIfThere;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

/// Calls of tools that people are asked about, as the policies of a run say. From
/// [Runs#approvals]. The key needs the scope `operator` or `admin`.
///
/// ```java
/// RunApprovals approvals = client.runs().approvals();
/// for (RunApproval asked : approvals.list("pending", null, null, null).items()) {
///     approvals.approve(asked.id(), "the list of receivers is right");
/// }
/// ```
public final class RunApprovals {
    private static final String APPROVALS = Runs.ROOT + "/approvals";

    private final Transport transport;

    RunApprovals(Transport transport) {
        this.transport = transport;
    }

    /// A page of approvals, oldest first.
    ///
    /// @param status `pending`, `approved`, `rejected` or `cancelled`; null for all
    /// @param runId null for all
    /// @param limit 1 to 100; null for the server's default
    /// @param cursor the cursor of the page before; null for the first page
    public Page<RunApproval> list(
            @Nullable String status,
            @Nullable String runId,
            @Nullable Integer limit,
            @Nullable String cursor) {
        var asked = Parameters.page(limit, cursor).with("status", status).with("run_id", runId);
        return transport.send(
                Call.get(APPROVALS + asked), OrchestrationWire.page(RunWire::approval));
    }

    /// One approval.
    public RunApproval get(String id) {
        return transport.send(
                Call.get(APPROVALS + "/" + Parameters.encoded(id)), RunWire::approval);
    }

    /// Says yes. The step can be claimed.
    ///
    /// @param note why, for those who look later; null for nothing
    public RunApproval approve(String id, @Nullable String note) {
        return decide(id, "/approve", note);
    }

    /// Says no. The step has failed.
    public RunApproval reject(String id, @Nullable String note) {
        return decide(id, "/reject", note);
    }

    private RunApproval decide(String id, String verb, @Nullable String note) {
        ObjectNode body = Json.object();
        putIfThere(body, "note", note);
        String path = APPROVALS + "/" + Parameters.encoded(id) + verb;
        return transport.send(Runs.keyed(Call.post(path, body)), RunWire::approval);
    }
}
