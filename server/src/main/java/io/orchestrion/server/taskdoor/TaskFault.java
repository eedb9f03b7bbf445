package io.orchestrion.server.taskdoor;

import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.server.door.StoreTrouble;

import org.jspecify.annotations.Nullable;

/// Why something was not done, in the door's words: the same for a whole answer and for one result
/// of many.
///
/// @param trouble of the store, where that is why
public record TaskFault(TaskError error, String message, @Nullable StoreTrouble trouble) {
    public TaskFault(TaskError error, String message) {
        this(error, message, null);
    }

    /// As the error of one item among several.
    public void write(JsonWriter out) {
        out.text("code", error.code()).text("message", message);
    }

    /// For an item that the store did not carry out, while it carried out others of the same
    /// request.
    public static TaskFault of(RuntimeException failure) {
        if (!(failure instanceof StoreException)) {
            throw failure;
        }
        return of(StoreTrouble.of(failure));
    }

    public static TaskFault of(StoreTrouble trouble) {
        return new TaskFault(TaskErrors.ALL.of(trouble), trouble.message(), trouble);
    }
}
