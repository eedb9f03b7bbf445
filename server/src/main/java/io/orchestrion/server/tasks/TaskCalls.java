package io.orchestrion.server.tasks;

import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.server.http.Call;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// What every handler of the door asks of a request.
final class TaskCalls {
    private TaskCalls() {}

    /// Who was let in; there is one on every endpoint that asks for a key.
    static Principal caller(Call call) {
        return call.attached(Principal.class)
                .orElseThrow(() -> new IllegalStateException("nobody was authenticated"));
    }

    static UUID account(Call call) {
        return caller(call).accountId();
    }

    /// The id in the path; null for what can be no id, which is then one that nobody has.
    static @Nullable UUID id(Call call) {
        return uuidOrNull(call.pathParameter("id"));
    }

    static @Nullable UUID uuidOrNull(String text) {
        try {
            UUID id = UUID.fromString(text);
            return id.toString().equalsIgnoreCase(text) ? id : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
