package io.orchestrion.sdk;

import static io.orchestrion.sdk.OrchestrionClient.putIfThere;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// Requests that create, claim or end many tasks at once. From [OrchestrionClient#batches].
///
/// ```java
/// List<BatchResult> made = client.batches().create(List.of(
///         "{\"type\":\"hello\",\"payload\":{\"name\":\"Ada\"}}",
///         "{\"type\":\"hello\",\"payload\":{\"name\":\"Bob\"}}"));
/// List<ClaimedTask> tasks =
///         client.batches().claim("hello", 100, "worker-1", Duration.ofSeconds(20));
/// ```
///
/// Items are JSON texts of objects with the fields of the single request. Items of complete, fail
/// and heartbeat also have the `id` of the task. Each item has its own result, in the order of the
/// items. A bad item does not affect the others.
///
/// The client repeats creates, which carry an idempotency key, claims, which carry a claim id and
/// so get the same leases again, and heartbeats. It sends completes and fails once.
public final class Batches {
    private static final String BATCH = "/v1/tasks/batch";

    private final Transport transport;

    Batches(Transport transport) {
        this.transport = transport;
    }

    /// Creates tasks.
    ///
    /// @param tasks 1 to 1000
    /// @param idempotencyKey your name for this batch; sent again with the same key, the batch
    ///     makes no further tasks
    public List<BatchResult> create(List<String> tasks, String idempotencyKey) {
        NewTask.checkKey(idempotencyKey);
        return transport.send(
                Call.post(BATCH, body("tasks", tasks)).withKey(idempotencyKey),
                ResourceWire::batch);
    }

    /// Creates tasks, with a random idempotency key.
    public List<BatchResult> create(List<String> tasks) {
        return create(tasks, UUID.randomUUID().toString());
    }

    /// Claims up to `max` tasks of a type.
    ///
    /// @param max 1 to 100
    /// @param workerId shown as `claimedBy`; gives no rights
    /// @param wait how long the server may wait for a task, in whole seconds, at most 30
    public List<ClaimedTask> claim(String type, int max, @Nullable String workerId, Duration wait) {
        return claim(type, max, workerId, wait, UUID.randomUUID());
    }

    /// @param claimId names this claim: sent again, it gives the same leases while one of them is
    ///     live
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

    /// @param items each with `id`, and optionally `leaseToken`, `result` and `outputId`
    public List<BatchResult> complete(List<String> items) {
        return held("/complete", items, false);
    }

    /// @param items each with `id`, and optionally `leaseToken` and `lastFailureReason`
    public List<BatchResult> fail(List<String> items) {
        return held("/fail", items, false);
    }

    /// @param items each with `id`, and optionally `leaseToken`
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
