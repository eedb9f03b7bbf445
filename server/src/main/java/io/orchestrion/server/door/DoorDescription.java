package io.orchestrion.server.door;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;

import java.util.List;
import java.util.function.Consumer;

/// One published contract as data. The router, the documents and the webhooks walk over a list of
/// these and name no door.
public interface DoorDescription {
    /// The name that the door's endpoints carry, and its logs and metrics.
    String name();

    /// Every endpoint of the door, in the order of the documents.
    Catalogue catalogue();

    ErrorForm errorForm();

    /// What the door tells those who asked to be called.
    DoorEvents events();

    /// The group of operations that an endpoint belongs to in the documents.
    String group(Endpoint endpoint);

    /// What the documents say of such a group.
    String groupMeaning(String group);

    /// A way to authenticate beside an API key.
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
