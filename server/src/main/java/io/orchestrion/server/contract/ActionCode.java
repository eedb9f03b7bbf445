package io.orchestrion.server.contract;

import io.orchestrion.kernel.identity.Scope;

import java.util.Set;

/// The code of something that a caller can do next. Each door has its own.
public interface ActionCode {
    /// Wait, then send the same request again. Every door has this one.
    ActionCode RETRY_AFTER_WAIT = () -> "retry_after_wait";

    /// The code as it is published.
    String word();

    /// The call needs one of these scopes, or `admin`. None where any key may make the call.
    default Set<Scope> scopes() {
        return Set.of();
    }

    /// Whether a key with these scopes may do it.
    default boolean isFor(Set<Scope> key) {
        Set<Scope> wanted = scopes();
        return wanted.isEmpty()
                || key.contains(Scope.ADMIN)
                || key.stream().anyMatch(wanted::contains);
    }
}
