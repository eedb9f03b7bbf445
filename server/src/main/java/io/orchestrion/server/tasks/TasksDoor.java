package io.orchestrion.server.tasks;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.server.door.StoreTrouble;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Door;

import java.util.Set;
import java.util.function.BiConsumer;

/// The tasks door's own form for the answers that no handler writes.
public final class TasksDoor implements Door {
    private static final String NOTHING_HERE = "There is nothing at this path.";
    private static final String SHARED = "/v1";

    private final BiConsumer<JsonWriter, Call> otherWords;

    /// @param otherWords what doors that share `/v1` say of a path that nobody has, written into
    ///     the same answer: whoever came may have meant any of them
    public TasksDoor(BiConsumer<JsonWriter, Call> otherWords) {
        this.otherWords = otherWords;
    }

    @Override
    public void writeNotFound(JsonWriter out, Call call) {
        TaskAnswers.writeError(
                out,
                call,
                TaskError.NOT_FOUND,
                NOTHING_HERE,
                AgentContract.forError(TaskError.NOT_FOUND, call.method(), call.path()));
    }

    /// For an endpoint that looks at more than the scopes of a key.
    public static Answer notForThisKey(Call call, String message) {
        return TaskAnswers.error(call, TaskError.INSUFFICIENT_SCOPE, message);
    }

    @Override
    public String name() {
        return TaskEndpoints.DOOR;
    }

    /// Also whatever belongs to nobody: it is the default door.
    @Override
    public boolean owns(String path) {
        return true;
    }

    @Override
    public Answer notFound(Call call) {
        boolean shared = call.path().equals(SHARED) || call.path().startsWith(SHARED + "/");
        Answer own = TaskAnswers.error(call, TaskError.NOT_FOUND, NOTHING_HERE);
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

    @Override
    public Answer methodNotAllowed(Call call, Set<String> allowed) {
        return TaskAnswers.error(
                call,
                TaskError.METHOD_NOT_ALLOWED,
                "This path answers to " + String.join(", ", allowed) + " only.");
    }

    @Override
    public Answer refused(Call call, int status, String message) {
        return TaskAnswers.error(
                call,
                TaskError.INVALID_REQUEST,
                status,
                message,
                AgentContract.forError(TaskError.INVALID_REQUEST, call.method(), call.path()));
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

    @Override
    public boolean expects(Throwable failure) {
        return StoreTrouble.expected(failure);
    }

    @Override
    public Answer failed(Call call, Throwable failure) {
        return TaskAnswers.troubled(call, StoreTrouble.of(failure));
    }

    @Override
    public Answer tooMuchInFlight(Call call, int retryAfterSeconds) {
        return TaskAnswers.later(
                call, TaskError.RATE_LIMITED, retryAfterSeconds, TOO_MUCH_IN_FLIGHT);
    }

    @Override
    public Answer overloaded(Call call, int retryAfterSeconds) {
        return TaskAnswers.error(call, TaskError.OVERLOADED, StoreTrouble.OVERLOADED.message());
    }
}
