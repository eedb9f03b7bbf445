package io.orchestrion.server.door;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.http.Endpoint;

import java.util.List;

/// The form that a door gives its errors, as the documents describe it.
public interface ErrorForm {
    /// The media type of an error's body.
    String mediaType();

    /// The body of an error.
    ObjectSpec spec();

    /// What stands before the codes of this door where the documents name errors of all doors: two
    /// doors may have one code with other words. Empty for the first door.
    default String prefix() {
        return "";
    }

    /// Which field of the body holds the code.
    String codeField();

    /// The error for requests that HTTP itself forbids, under statuses of its own: 408, 414, 431,
    /// 501, 505.
    DoorError ofHttp();

    /// Every error of the door.
    List<? extends DoorError> all();

    /// The errors that the endpoint can answer with.
    List<? extends DoorError> of(Endpoint endpoint);

    /// Writes the body of an error into an object that is already open.
    void example(JsonWriter out, DoorError error, String requestId);
}
