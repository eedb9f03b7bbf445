package io.orchestrion.server.orchestrations;

import io.orchestrion.kernel.retry.RetryPolicy;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// What is set of the orchestrations door.
///
/// @param calls of steps that this node makes at once
/// @param callsPerAccount how many of them one account may have
/// @param dependencyFactor how many times as long as usual a failed dependency is left alone
/// @param kept how long ended executions are kept; null for ever
/// @param fault why the door does nothing; null when nothing is wrong
public record OrchestrationSettings(
        int calls,
        int callsPerAccount,
        int dependencyFactor,
        @Nullable Duration kept,
        @Nullable String fault) {
    public static final OrchestrationSettings DEFAULT =
            new OrchestrationSettings(16, 4, RetryPolicy.DEPENDENCY_FACTOR, null, null);

    OrchestrationSettings broken(String why) {
        return new OrchestrationSettings(calls, callsPerAccount, dependencyFactor, kept, why);
    }
}
