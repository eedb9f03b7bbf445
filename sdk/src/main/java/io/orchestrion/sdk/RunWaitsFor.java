package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// What a run, an agent, a task or a step waits for.
///
/// ```java
/// for (RunNode node : client.runs().nodes("run_0195f2b4-0000-7000-8000-000000000001")) {
///     RunWaitsFor waits = node.waitsFor();
///     if (waits != null && waits.on().equals("worker")) {
///         System.out.println("start a worker for " + waits.type());
///     }
/// }
/// ```
///
/// @param on such as `worker`, `approval`, `retry` or `resume`
/// @param id of the approval or the escalation; null for others
/// @param until when that ends by itself; null if that is not known
/// @param type what workers claim it as; null if it is not for workers
public record RunWaitsFor(
        String on, @Nullable String id, @Nullable Instant until, @Nullable String type) {}
