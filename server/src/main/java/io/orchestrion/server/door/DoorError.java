package io.orchestrion.server.door;

import java.util.List;

/// One line of a door's catalogue of errors, as the documents and the door's own answers read it.
public interface DoorError {
    /// The code that programs decide by. Codes are never removed or renamed.
    String code();

    int status();

    /// Every status that it comes under.
    default List<Integer> statuses() {
        return List.of(status());
    }

    /// Whether the same request may succeed later.
    boolean retryable();

    /// A sentence that holds for every occurrence.
    String meaning();

    /// The URI that names the error in a problem document.
    default String type() {
        return "urn:orchestrion:problem:" + code();
    }

    /// The URI that names this occurrence in a problem document.
    default String instance(String requestId) {
        return "urn:orchestrion:request:" + requestId;
    }
}
