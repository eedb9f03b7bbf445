package io.orchestrion.server.door;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimit;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

/// One published contract as data. The router, the documents and the webhooks walk over a list of
/// these and name no door.
public interface DoorDescription {
    /// The name that the door's endpoints carry, and its logs and metrics.
    String name();

    /// Every endpoint of the door, in the order of the documents.
    Catalogue catalogue();

    ErrorForm errorForm();

    /// How the door tells events to receivers; null for a door without events of its own. Events of
    /// engines' subjects need nothing here.
    @Nullable DoorEvents events();

    /// The rate limits that the door's endpoints name, in the order of the documents.
    default List<RateLimit> limits() {
        return List.of();
    }

    /// How logs and metrics name the items that the door shows; null for a door without items.
    default @Nullable DoorItems items() {
        return null;
    }

    /// Questions that only this door's metrics answer, each with its query, for the page.
    default Map<String, String> questions() {
        return Map.of();
    }

    /// Whether every request and state change is logged unless the operator says otherwise. A line
    /// for each costs more than the request where there are tens of thousands in a second.
    default boolean logsEach() {
        return false;
    }

    /// How logs and traces name a request.
    default String action(Endpoint endpoint) {
        return endpoint.name();
    }

    /// The ids by which the door's requests, and the items of its engine, are found in logs and
    /// traces: the names of the fields, each with how the door shows such an id.
    default Map<String, Function<UUID, String>> ids() {
        return Map.of();
    }

    /// The group of operations that an endpoint belongs to in the documents.
    String group(Endpoint endpoint);

    /// The documents' description of such a group.
    String groupMeaning(String group);

    /// A way to authenticate that is not an API key.
    ///
    /// @param definition writes it as OpenAPI describes it
    record Scheme(String name, Consumer<JsonWriter> definition) {}

    /// The further ways to authenticate that the door knows.
    default List<Scheme> schemes() {
        return List.of();
    }

    /// Whether the endpoint takes those, too.
    default boolean takesSchemes(Endpoint endpoint) {
        return false;
    }
}
