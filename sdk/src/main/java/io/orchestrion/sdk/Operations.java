package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Cancelling, requeueing or purging all tasks that fit a filter. From
/// [OrchestrionClient#operations]; the key needs the scope `operator` or `admin`.
///
/// A request is JSON text as `POST /v1/operations` takes it, such as
/// `{"action":"cancel","filter":{"type":"report"}}`.
public final class Operations {
    private static final String OPERATIONS = "/v1/operations";

    private final Transport transport;

    Operations(Transport transport) {
        this.transport = transport;
    }

    /// Says what it would be about, and changes nothing.
    public OperationPreview preview(String request) {
        Call call =
                Call.post(OPERATIONS, Json.object(request, "the operation").put("dryRun", true));
        return transport.send(call.repeated(true), ResourceWire::preview);
    }

    /// Starts it; [#get] tells how far it is.
    ///
    /// @param idempotencyKey a name of yours for this request: sent twice it is one operation
    public Operation create(String request, String idempotencyKey) {
        NewTask.checkKey(idempotencyKey);
        return transport.send(
                Call.post(OPERATIONS, Json.object(request, "the operation"))
                        .withKey(idempotencyKey),
                ResourceWire::operation);
    }

    public Operation create(String request) {
        return create(request, UUID.randomUUID().toString());
    }

    public Operation get(UUID id) {
        return transport.send(Call.get(OPERATIONS + "/" + id), ResourceWire::operation);
    }

    /// Newest first.
    ///
    /// @param limit 1 to 100; null for the server's default
    /// @param cursor of the page before; null for the first
    public Page<Operation> list(@Nullable Integer limit, @Nullable String cursor) {
        return transport.send(
                Call.get(OPERATIONS + Parameters.page(limit, cursor)), ResourceWire::operations);
    }

    /// Ends it before its next step; what is done stays done. Sent once.
    public Operation cancel(UUID id) {
        return transport.send(
                Call.post(OPERATIONS + "/" + id + "/cancel", Json.object()),
                ResourceWire::operation);
    }
}
