package io.orchestrion.server.orchestrations;

import org.jspecify.annotations.Nullable;

/// What is set of the orchestrations door.
///
/// @param calls of steps that this node makes at once
/// @param callsPerAccount how many of them one account may have
/// @param fault why the door does nothing; null when nothing is wrong
public record OrchestrationSettings(int calls, int callsPerAccount, @Nullable String fault) {
    public static final OrchestrationSettings DEFAULT = new OrchestrationSettings(16, 4, null);

    OrchestrationSettings broken(String why) {
        return new OrchestrationSettings(calls, callsPerAccount, why);
    }
}
