package io.orchestrion.server.tasks;

import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.Correlation;
import io.orchestrion.server.http.Call;

import org.jspecify.annotations.Nullable;

/// Who sends tasks, and what all of them are a part of.
///
/// @param correlationId of those tasks that have none of their own
record Producer(Principal principal, @Nullable String correlationId) {
    /// Of a request whose head is as it may be, see [#fault].
    static Producer of(Call call) {
        return new Producer(Callers.caller(call), call.header(Correlation.HEADER).orElse(null));
    }

    /// What is wrong with the head of the request; null for nothing.
    static @Nullable String fault(Call call) {
        String id = call.header(Correlation.HEADER).orElse(null);
        return id == null || Correlation.allowed(id) ? null : Correlation.RULE;
    }
}
