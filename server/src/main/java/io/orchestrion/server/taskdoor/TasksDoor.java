package io.orchestrion.server.taskdoor;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.server.contract.ContractDoor;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;

import java.util.function.BiConsumer;

/// The tasks door's own form for the answers that no handler writes.
public final class TasksDoor extends ContractDoor<TaskError> {
    public static final String NAME = "tasks";

    private static final String SHARED = "/v1";

    private final BiConsumer<JsonWriter, Call> otherWords;

    /// @param otherWords writes what doors that share `/v1` say of a path that no door has into
    ///     the same answer, because the caller may have meant any of them
    public TasksDoor(BiConsumer<JsonWriter, Call> otherWords) {
        super(TaskErrorAnswers.ALL);
        this.otherWords = otherWords;
    }

    @Override
    public void writeNotFound(JsonWriter out, Call call) {
        TaskErrorAnswers.ALL.write(out, call, TaskError.NOT_FOUND, NOTHING_HERE);
    }

    /// For an endpoint that looks at more than the scopes of a key.
    public static Answer notForThisKey(Call call, String message) {
        return TaskErrorAnswers.error(call, TaskError.INSUFFICIENT_SCOPE, message);
    }

    @Override
    public String name() {
        return NAME;
    }

    /// Also every path that belongs to no other door: this is the default door.
    @Override
    public boolean owns(String path) {
        return true;
    }

    @Override
    public Answer notFound(Call call) {
        boolean shared = call.path().equals(SHARED) || call.path().startsWith(SHARED + "/");
        Answer own = super.notFound(call);
        return shared
                ? Answer.json(
                        TaskError.NOT_FOUND.status(),
                        JsonWriter.object(
                                out -> {
                                    writeNotFound(out, call);
                                    otherWords.accept(out, call);
                                }))
                : own;
    }

    /// The contract has one code and one status for every bad request, these two included.
    @Override
    public Answer bodyTooLarge(Call call, long maxBytes) {
        return badRequest(call, "The body must be at most " + maxBytes + " bytes.");
    }

    @Override
    public Answer unsupportedMediaType(Call call) {
        return badRequest(call, "The Content-Type must be application/json.");
    }
}
