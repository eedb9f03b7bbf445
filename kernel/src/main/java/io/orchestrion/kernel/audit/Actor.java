package io.orchestrion.kernel.audit;

import java.util.UUID;

/// Who did it.
public sealed interface Actor {
    /// Somebody with this key of the account.
    record Key(UUID id) implements Actor {}

    /// The server by itself.
    record Server() implements Actor {}

    static Actor key(UUID id) {
        return new Key(id);
    }

    static Actor server() {
        return new Server();
    }
}
