package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Cancels, requeues or purges all tasks that match a filter. From [OrchestrionClient#operations].
/// The key needs the scope `operator` or `admin`.
///
/// ```java
/// String request = "{\"action\":\"cancel\",\"filter\":{\"type\":\"report\"}}";
/// long matched = client.operations().preview(request).matched();
/// Operation started = client.operations().create(request);
/// ```
///
/// A request is JSON text as `POST /v1/operations` takes it.
public final class Operations {
    private static final String OPERATIONS = "/v1/operations";

    private final Transport transport;

    Operations(Transport transport) {
        this.transport = transport;
    }

    /// Tells which tasks the operation would change, and changes nothing.
    public OperationPreview preview(String request) {
        Call call =
                Call.post(OPERATIONS, Json.object(request, "the operation").put("dryRun", true));
        return transport.send(call.repeated(true), ResourceWire::preview);
    }

    /// Starts an operation. [#get] tells its progress.
    ///
    /// @param idempotencyKey your name for this request; sent again with the same key, it starts no
    ///     second operation
    public Operation create(String request, String idempotencyKey) {
        NewTask.checkKey(idempotencyKey);
        return transport.send(
                Call.post(OPERATIONS, Json.object(request, "the operation"))
                        .withKey(idempotencyKey),
                ResourceWire::operation);
    }

    /// Starts an operation, with a random idempotency key.
    public Operation create(String request) {
        return create(request, UUID.randomUUID().toString());
    }

    /// Reads one operation.
    public Operation get(UUID id) {
        return transport.send(Call.get(OPERATIONS + "/" + id), ResourceWire::operation);
    }

    /// Reads a page of operations, newest first.
    ///
    /// @param limit 1 to 100; null for the server's default
    /// @param cursor the cursor of the page before; null for the first page
    public Page<Operation> list(@Nullable Integer limit, @Nullable String cursor) {
        return transport.send(
                Call.get(OPERATIONS + Parameters.page(limit, cursor)), ResourceWire::operations);
    }

    /// Ends an operation before its next step. What it has changed stays changed. Sent once.
    public Operation cancel(UUID id) {
        return transport.send(
                Call.post(OPERATIONS + "/" + id + "/cancel", Json.object()),
                ResourceWire::operation);
    }
}
