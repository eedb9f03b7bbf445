package io.orchestrion.server.queue;

import io.orchestrion.kernel.policy.Policy;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// The worker that calls: its account, its name, and what it may take.
///
/// @param boundWorkerId the one name that the credential is for; null when it is for any
/// @param credential what was shown
public record WorkerCaller(
        UUID account, @Nullable String boundWorkerId, Policy policy, Credential credential) {

    /// What opens the worker verbs.
    public enum Credential {
        TOKEN,
        JWT,
        KEY
    }

    /// Whether the caller may go by this name.
    public boolean bound(String workerId) {
        return boundWorkerId == null || boundWorkerId.equals(workerId);
    }
}
