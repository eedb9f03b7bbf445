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
    /// Looks at what any key may look at.
    READ,
    /// Writes definitions of orchestrations and starts executions.
    ORCHESTRATION_WRITE,
    /// Pauses, resumes, cancels and retries executions.
    ORCHESTRATION_OPERATE,
    /// Says whether a step may go on.
    ORCHESTRATION_APPROVE,
    /// Handles dead letters, and what is to be undone.
    ORCHESTRATION_REVIEW,
    /// Makes runs, and does everything with them but what a person has to decide.
    RUNS_WRITE,
    /// A scope that this client does not know.
    UNKNOWN;

    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', ':');
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
