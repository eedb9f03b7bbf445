package io.orchestrion.sdk;

import java.util.Locale;

/// What a key may do within its account.
///
/// ```java
/// NewKey forWorkers = NewKey.named("workers").withScopes(Set.of(Scope.WORKER));
/// ```
public enum Scope {
    /// Creates, cancels and requeues tasks.
    PRODUCER,
    /// Claims tasks, renews their leases and ends them.
    WORKER,
    /// Cancels and requeues tasks.
    OPERATOR,
    /// Everything, the account's keys included.
    ADMIN,
    /// A scope that this client does not know.
    UNKNOWN;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Scope of(String word) {
        for (Scope scope : values()) {
            if (scope.word().equals(word)) {
                return scope;
            }
        }
        return UNKNOWN;
    }
}
