package io.orchestrion.server.health;

import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Urgency;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.taskdoor.TasksDoor;

import java.util.List;

/// The endpoints that say how a node does.
public final class HealthEndpoints {
    private HealthEndpoints() {}

    public static final Endpoint HEALTH =
            probe("health", "/health", "Health check with lease job status")
                    .response(200, HealthSpecs.HEALTH)
                    .response(503, HealthSpecs.HEALTH)
                    .build();

    static final Endpoint READY =
            probe("ready", "/ready", "Whether this node takes traffic")
                    .response(200, HealthSpecs.READY)
                    .response(503, HealthSpecs.READY)
                    .build();

    /// Probes ask every few seconds, also while a node is busy. So they are never limited, and are
    /// served from reserved capacity.
    private static Endpoint.Builder probe(String name, String path, String summary) {
        return Endpoint.get(name, path)
                .door(TasksDoor.NAME)
                .access(Access.PUBLIC)
                .urgency(Urgency.PROBE)
                .limit(RateLimits.NONE)
                .summary(summary);
    }

    public static final Catalogue CATALOGUE = new Catalogue(List.of(HEALTH, READY));
}
