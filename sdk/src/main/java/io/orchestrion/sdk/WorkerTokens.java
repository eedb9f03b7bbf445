package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// The tokens of the account's workers. From [OrchestrionClient#workerTokens]. The client's own key
/// needs the scope `operator` or `admin`.
///
/// ```java
/// CreatedWorkerToken made = client.workerTokens().create(NewWorkerToken.of("executor-01"));
/// System.out.println(made.secret());
/// ```
///
/// Create and rotate are sent once. If the answer is lost, the token may exist, but nobody has its
/// secret: deactivate it.
public final class WorkerTokens {
    private static final String TOKENS = "/api/queue/workers/tokens";

    private final Transport transport;

    WorkerTokens(Transport transport) {
        this.transport = transport;
    }

    /// Creates a token.
    public CreatedWorkerToken create(NewWorkerToken token) {
        ObjectNode body = Json.object().put("workerId", token.workerId());
        OrchestrionClient.putIfThere(body, "description", token.description());
        putAll(body, "allowedRepositories", token.repositories());
        putAll(body, "allowedJobTypes", token.types());
        putAll(body, "capabilities", token.capabilities());
        if (token.expiresInDays() != null) {
            body.put("expiresInDays", token.expiresInDays());
        }
        return transport.send(Call.post(TOKENS, body), QueueWire::createdToken);
    }

    private static void putAll(ObjectNode into, String name, @Nullable List<String> words) {
        if (words != null) {
            ArrayNode list = into.putArray(name);
            words.forEach(list::add);
        }
    }

    /// @param cursor the [WorkerTokenPage#nextCursor] of the page before; null for the first page
    public WorkerTokenPage list(@Nullable String cursor) {
        return list(null, cursor);
    }

    /// @param workerId only tokens of this worker; null for all
    /// @param cursor the [WorkerTokenPage#nextCursor] of the page before; null for the first page
    public WorkerTokenPage list(@Nullable String workerId, @Nullable String cursor) {
        var from = new Parameters().with("workerId", workerId).with("cursor", cursor);
        return transport.send(Call.get(TOKENS + from), QueueWire::tokens);
    }

    /// Reads one token.
    public WorkerToken get(UUID id) {
        return transport.send(Call.get(TOKENS + "/" + id), QueueWire::token);
    }

    /// Changes what the token allows, from the next claim on. Fields that are left out stay as they
    /// are.
    ///
    /// @param change JSON text of an object as `PATCH /api/queue/workers/tokens/{tokenId}` takes it
    public WorkerToken change(UUID id, String change) {
        return transport.send(
                Call.patch(TOKENS + "/" + id, Json.object(change, "the change")), QueueWire::token);
    }

    /// Deactivates a token. It opens nothing until it is reactivated.
    public WorkerToken deactivate(UUID id) {
        return changed(id, "/deactivate");
    }

    /// Reactivates a token.
    public WorkerToken reactivate(UUID id) {
        return changed(id, "/reactivate");
    }

    private WorkerToken changed(UUID id, String verb) {
        Call call = Call.post(TOKENS + "/" + id + verb, Json.object());
        return transport.send(call.repeated(true), QueueWire::token);
    }

    /// Makes a new secret. The old one keeps working during the overlap, so that no worker is
    /// locked out.
    ///
    /// @param overlap null for the server's default
    public CreatedWorkerToken rotate(UUID id, @Nullable Duration overlap) {
        ObjectNode body = Json.object();
        if (overlap != null) {
            body.put("overlapSeconds", overlap.toSeconds());
        }
        return transport.send(
                Call.post(TOKENS + "/" + id + "/rotate", body), QueueWire::createdToken);
    }
}
