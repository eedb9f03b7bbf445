package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// The tokens of the account's workers; the client's own key needs the scope `operator` or `admin`.
/// From [OrchestrionClient#workerTokens].
///
/// Creating and rotating are sent once: a token whose answer is lost may be there all the same, and
/// nobody has it: deactivate it.
public final class WorkerTokens {
    private static final String TOKENS = "/api/queue/workers/tokens";

    private final Transport transport;

    WorkerTokens(Transport transport) {
        this.transport = transport;
    }

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

    /// @param cursor the [WorkerTokenPage#nextCursor] of the page before; null for the first
    public WorkerTokenPage list(@Nullable String cursor) {
        return list(null, cursor);
    }

    /// @param workerId only those of this worker; null for all
    /// @param cursor the [WorkerTokenPage#nextCursor] of the page before; null for the first
    public WorkerTokenPage list(@Nullable String workerId, @Nullable String cursor) {
        var from = new Parameters().with("workerId", workerId).with("cursor", cursor);
        return transport.send(Call.get(TOKENS + from), QueueWire::tokens);
    }

    public WorkerToken get(UUID id) {
        return transport.send(Call.get(TOKENS + "/" + id), QueueWire::token);
    }

    /// Changes what it allows, from the next claim on; what is left out stays.
    ///
    /// @param change JSON text of an object as `PATCH /api/queue/workers/tokens/{tokenId}` takes it
    public WorkerToken change(UUID id, String change) {
        return transport.send(
                Call.patch(TOKENS + "/" + id, Json.object(change, "the change")), QueueWire::token);
    }

    /// From now on it opens nothing.
    public WorkerToken deactivate(UUID id) {
        return changed(id, "/deactivate");
    }

    public WorkerToken reactivate(UUID id) {
        return changed(id, "/reactivate");
    }

    private WorkerToken changed(UUID id, String verb) {
        Call call = Call.post(TOKENS + "/" + id + verb, Json.object());
        return transport.send(call.repeated(true), QueueWire::token);
    }

    /// Makes a new secret; the old one goes on for a while, so that no worker stands outside.
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
