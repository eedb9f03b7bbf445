package io.orchestrion.server.queue;

import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;

import java.util.List;
import java.util.Set;

/// The endpoints of the queue door: what the router, the documents and the tests are made from.
public final class QueueEndpoints {
    private QueueEndpoints() {}

    public static final String DOOR = "queue";

    /// What a worker token or a JWT opens, and nothing else.
    private static final Set<String> FOR_WORKERS =
            Set.of(
                    "claimQueueJob",
                    "heartbeatQueueJob",
                    "completeQueueJob",
                    "failQueueJob",
                    "appendQueueJobEvent");

    /// Whether a worker token or a JWT opens it, within its policy.
    static boolean forWorkers(Endpoint endpoint) {
        return FOR_WORKERS.contains(endpoint.name());
    }

    public static final Catalogue CATALOGUE = new Catalogue(List.of());
}
