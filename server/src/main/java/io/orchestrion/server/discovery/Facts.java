package io.orchestrion.server.discovery;

import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.plan.Plans;
import io.orchestrion.server.door.DoorDescription;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimit;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.taskdoor.TasksDoor;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What the documents are made from: the very objects that the server enforces.
///
/// @param doors in the order in which the OpenAPI document describes them
/// @param paymentProvider the provider's name for callers
/// @param productVersion of the program; the contract has a version of its own
public record Facts(
        List<DoorDescription> doors,
        RateLimits limits,
        Plans plans,
        String paymentProvider,
        String productVersion) {

    static final String SERVICE = "orchestrion";
    static final String TITLE = "Orchestrion";
    static final String DESCRIPTION =
            "Agent-native task orchestration API. Provides task lifecycle management with"
                    + " lease-based ownership, retry logic, and machine-readable recovery guidance"
                    + " (agent_contract) on every response.";

    public static Facts of(
            List<? extends DoorDescription> doors,
            RateLimits limits,
            Plans plans,
            String paymentProvider,
            String productVersion) {
        return new Facts(List.copyOf(doors), limits, plans, paymentProvider, productVersion);
    }

    /// The endpoints of the tasks door, which the documents in its contract's words are about.
    List<Endpoint> endpoints() {
        return own(door(TasksDoor.NAME));
    }

    /// The endpoints of every door, which the OpenAPI document is about.
    List<Endpoint> published() {
        return doors.stream().flatMap(door -> own(door).stream()).toList();
    }

    /// Without pages for people, which a door may open beside its contract.
    private static List<Endpoint> own(DoorDescription door) {
        return door.catalogue().ofDoor(door.name());
    }

    DoorDescription doorOf(Endpoint endpoint) {
        return door(endpoint.door());
    }

    private DoorDescription door(String name) {
        return doors.stream().filter(door -> door.name().equals(name)).findFirst().orElseThrow();
    }

    List<Endpoint> withAccess(Access access) {
        return endpoints().stream().filter(endpoint -> endpoint.access() == access).toList();
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
