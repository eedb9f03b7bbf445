package io.orchestrion.sdk;

import static io.orchestrion.sdk.OrchestrionClient.putIfThere;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// A verb on many tasks in one request. From [OrchestrionClient#batches].
///
/// Items are JSON texts of objects, as the single verbs take them; a holder's items also have the
/// task's `id`. Each has a result of its own, in the order of the items, and a bad one spoils no
/// other. Creates carry an idempotency key and are sent again by themselves; claims carry a claim
/// id and are sent again with it, which gives the same leases; of the holder's verbs the
/// heartbeats are.
public final class Batches {
    private static final String BATCH = "/v1/tasks/batch";

    private final Transport transport;

    Batches(Transport transport) {
        this.transport = transport;
    }

    /// @param tasks 1 to 1000
    /// @param idempotencyKey a name of yours for this batch: sent twice it makes the same tasks
    public List<BatchResult> create(List<String> tasks, String idempotencyKey) {
        NewTask.checkKey(idempotencyKey);
        return transport.send(
                Call.post(BATCH, body("tasks", tasks)).withKey(idempotencyKey),
                ResourceWire::batch);
    }

    public List<BatchResult> create(List<String> tasks) {
        return create(tasks, UUID.randomUUID().toString());
    }

    /// @param max 1 to 100
    /// @param workerId shown as `claimedBy`; gives no rights
    /// @param wait how long the server may wait for a task, in whole seconds, at most 30
    public List<ClaimedTask> claim(String type, int max, @Nullable String workerId, Duration wait) {
        return claim(type, max, workerId, wait, UUID.randomUUID());
    }

    /// @param claimId names this claim: sent again, it gives the same leases while one is live
    public List<ClaimedTask> claim(
            String type, int max, @Nullable String workerId, Duration wait, UUID claimId) {
        ObjectNode body =
                Json.object().put("type", type).put("max", max).put("claimId", claimId.toString());
        putIfThere(body, "workerId", workerId);
        if (wait.toSeconds() > 0) {
            body.put("waitSeconds", wait.toSeconds());
        }
        return transport.send(
                Call.post(BATCH + "/claim", body).waiting(wait).repeated(true), Wire::claims);
    }

    /// @param items each with `id`, and `leaseToken`, `result` and `outputId` where wanted
    public List<BatchResult> complete(List<String> items) {
        return held("/complete", items, false);
    }

    /// @param items each with `id`, and `leaseToken` and `lastFailureReason` where wanted
    public List<BatchResult> fail(List<String> items) {
        return held("/fail", items, false);
    }

    /// @param items each with `id`, and `leaseToken` where wanted
    public List<BatchResult> heartbeat(List<String> items) {
        return held("/heartbeat", items, true);
    }

    private List<BatchResult> held(String verb, List<String> items, boolean repeatable) {
        Call call = Call.post(BATCH + verb, body("items", items));
        return transport.send(call.repeated(repeatable), ResourceWire::batch);
    }

    private static ObjectNode body(String name, List<String> items) {
        ObjectNode body = Json.object();
        var list = body.putArray(name);
        items.forEach(item -> list.add(Json.object(item, "an item of the batch")));
        return body;
    }
}
