package io.orchestrion.server.orchestrations;

import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.server.contract.ContractGates;
import io.orchestrion.server.contract.ShutDoor;
import io.orchestrion.server.http.Gate;
import io.orchestrion.server.limits.RateLimiter;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The gates of the orchestrations door. With a fault in its settings all of it is shut.
public final class OrchestrationGates {
    private OrchestrationGates() {}

    public static List<Gate> of(Identity identity, RateLimiter limiter, @Nullable String fault) {
        var gates =
                new ArrayList<Gate>(
                        new ContractGates<>(identity, limiter, OrchestrationAnswers.ALL).gates());
        if (fault != null) {
            gates.add(ShutDoor.gate(OrchestrationAnswers.ALL, OrchestrationsDoor.NAME, fault));
        }
        return List.copyOf(gates);
    }
}
