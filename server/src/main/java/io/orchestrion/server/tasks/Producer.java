package io.orchestrion.server.tasks;

import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.Correlation;
import io.orchestrion.server.http.Call;

import org.jspecify.annotations.Nullable;

/// The sender of tasks, and the larger whole that all of them belong to.
///
/// @param correlationId of those tasks that have none of their own
record Producer(Principal principal, @Nullable String correlationId) {
    /// The producer of a request without a [#fault].
    static Producer of(Call call) {
        return new Producer(Callers.caller(call), call.header(Correlation.HEADER).orElse(null));
    }

    /// What is wrong with the headers of the request; null for nothing.
    static @Nullable String fault(Call call) {
        String id = call.header(Correlation.HEADER).orElse(null);
        return id == null || Correlation.allowed(id) ? null : Correlation.RULE;
    }
}
