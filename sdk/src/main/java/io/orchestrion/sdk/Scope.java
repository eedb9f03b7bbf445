package io.orchestrion.sdk;

import java.util.Locale;

/// What a key may be used for within its account.
public enum Scope {
    /// Creates, cancels and requeues tasks.
    PRODUCER,
    /// Claims tasks, keeps them alive and ends them.
    WORKER,
    /// Cancels and requeues tasks.
    OPERATOR,
    /// Everything, the account's keys included.
    ADMIN,
    /// One that this client does not know yet.
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
