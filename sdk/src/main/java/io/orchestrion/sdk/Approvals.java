package io.orchestrion.sdk;

import static io.orchestrion.sdk.OrchestrionClient.putIfThere;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.UUID;

/// What executions ask of people. From [Orchestrations#approvals]. The key needs the scope
/// `operator` or `admin`.
///
/// ```java
/// Approvals approvals = client.orchestrations().approvals();
/// for (Approval asked : approvals.list(ApprovalQuery.PENDING).items()) {
///     approvals.approve(asked.id(), "looks right");
/// }
/// ```
///
/// To decide the same again with the same key changes nothing, so all calls are repeated when an
/// answer is lost.
public final class Approvals {
    private static final String APPROVALS = Orchestrations.BASE + "/approvals";

    private final Transport transport;

    Approvals(Transport transport) {
        this.transport = transport;
    }

    /// A page of approvals.
    public Page<Approval> list(ApprovalQuery query) {
        return transport.send(
                Call.get(APPROVALS + query.parameters()),
                OrchestrationWire.page(OrchestrationWire::approval));
    }

    /// Reads one approval.
    public Approval get(UUID id) {
        return transport.send(Call.get(APPROVALS + "/" + id), OrchestrationWire::approval);
    }

    /// Says yes. Its execution goes on.
    ///
    /// @param note why, for those who look later; null for nothing
    public Approval approve(UUID id, @Nullable String note) {
        return decide(APPROVALS + "/" + id + "/approve", note);
    }

    /// Says no. The step has failed with the code `approval_rejected`.
    public Approval reject(UUID id, @Nullable String note) {
        return decide(APPROVALS + "/" + id + "/reject", note);
    }

    /// Approves the newest approval of a step.
    public Approval approve(UUID execution, String stepId, @Nullable String note) {
        return decide(Orchestrations.step(execution, stepId, "/approve"), note);
    }

    /// Rejects the newest approval of a step.
    public Approval reject(UUID execution, String stepId, @Nullable String note) {
        return decide(Orchestrations.step(execution, stepId, "/reject"), note);
    }

    private Approval decide(String path, @Nullable String note) {
        ObjectNode body = Json.object();
        putIfThere(body, "note", note);
        return transport.send(Call.post(path, body).repeated(true), OrchestrationWire::approval);
    }
}
