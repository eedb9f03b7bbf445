package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.audit.Actor;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Who acted: somebody with a key of the account.
///
/// @param name what the key is called
public record Person(UUID key, @Nullable String name) implements Requester {
    @Override
    public Actor actor() {
        return Actor.key(key);
    }

    /// As it is stored beside what was done.
    @Override
    public String word() {
        return "key:" + key;
    }
}
