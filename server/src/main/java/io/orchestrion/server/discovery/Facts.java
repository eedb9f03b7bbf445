package io.orchestrion.server.discovery;

import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.plan.Plans;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.jobs.JobsDoor;
import io.orchestrion.server.limits.RateLimit;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.queue.QueueEndpoints;
import io.orchestrion.server.tasks.TaskEndpoints;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Stream;

/// What the documents are made from: the very objects that the server enforces.
///
/// @param endpoints those of the tasks door, which the documents in its contract's words are about
/// @param published those of every door for programs, for the OpenAPI document
/// @param paymentProvider who takes the money, as callers know it
/// @param productVersion of the program; the contract's version is another thing
public record Facts(
        List<Endpoint> endpoints,
        List<Endpoint> published,
        RateLimits limits,
        Plans plans,
        String paymentProvider,
        String productVersion) {

    static final String SERVICE = "orchestrion";
    static final String TITLE = "Orchestrion";
    static final String SERVICE_GROUP = "service";
    static final String QUEUE_GROUP = "queue";
    static final String DESCRIPTION =
            "Agent-native task orchestration API. Provides task lifecycle management with"
                    + " lease-based ownership, retry logic, and machine-readable recovery guidance"
                    + " (agent_contract) on every response.";

    /// Other doors have contracts of their own; the OpenAPI document covers all.
    public static Facts of(
            Catalogue catalogue,
            RateLimits limits,
            Plans plans,
            String paymentProvider,
            String productVersion) {
        return new Facts(
                catalogue.ofDoor(TaskEndpoints.DOOR),
                Stream.of(TaskEndpoints.DOOR, QueueEndpoints.DOOR, JobsDoor.NAME)
                        .flatMap(door -> catalogue.ofDoor(door).stream())
                        .toList(),
                limits,
                plans,
                paymentProvider,
                productVersion);
    }

    List<Endpoint> withAccess(Access access) {
        return endpoints.stream().filter(endpoint -> endpoint.access() == access).toList();
    }

    /// The part of the API that an endpoint is in; what stands alone is about the service itself.
    String groupOf(Endpoint endpoint) {
        if (endpoint.door().equals(QueueEndpoints.DOOR)) {
            return QUEUE_GROUP;
        }
        if (endpoint.door().equals(JobsDoor.NAME)) {
            return endpoint.path().split("/")[endpoint.path().startsWith("/v1/") ? 2 : 1];
        }
        String[] segments = endpoint.path().split("/");
        if (segments.length < 3 || !segments[1].equals("v1")) {
            return SERVICE_GROUP;
        }
        String below = "/v1/" + segments[2] + "/";
        return endpoints.stream().anyMatch(each -> each.path().startsWith(below))
                ? segments[2]
                : SERVICE_GROUP;
    }

    /// The limit of the endpoint's own, null where it has none.
    @Nullable RateLimit limitOf(Endpoint endpoint) {
        return endpoint.limit().isEmpty() || endpoint.limit().equals(RateLimits.NONE)
                ? null
                : limits.named(endpoint.limit());
    }

    /// The plan whose numbers the documents show first.
    Plan shownPlan() {
        return plans.free();
    }
}
