package io.orchestrion.server.orchestrations;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// What is set of the orchestrations door.
///
/// @param calls of steps that this node makes at once
/// @param callsPerAccount how many of them one account may have
/// @param keptDays how long ended executions stay; 0 for ever
/// @param fault why the door does nothing; null when nothing is wrong
public record OrchestrationSettings(
        int calls, int callsPerAccount, int keptDays, @Nullable String fault) {
    public static final OrchestrationSettings DEFAULT = new OrchestrationSettings(16, 4, 0, null);

    /// How long ended executions stay; null for ever.
    public @Nullable Duration kept() {
        return keptDays == 0 ? null : Duration.ofDays(keptDays);
    }

    OrchestrationSettings broken(String why) {
        return new OrchestrationSettings(calls, callsPerAccount, keptDays, why);
    }
}
