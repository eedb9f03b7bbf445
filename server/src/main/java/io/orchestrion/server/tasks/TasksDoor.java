package io.orchestrion.server.tasks;

import io.orchestrion.server.door.StoreTrouble;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Door;

import java.util.Set;

/// The tasks door's own form for the answers that no handler writes.
public final class TasksDoor implements Door {

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
        return TaskAnswers.error(call, TaskError.NOT_FOUND, "There is nothing at this path.");
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
        StoreTrouble trouble = StoreTrouble.of(failure);
        return trouble == StoreTrouble.OVERLOADED
                ? overloaded(call, 1)
                : TaskAnswers.error(call, TaskError.SERVER_ERROR, trouble.message());
    }

    @Override
    public Answer overloaded(Call call, int retryAfterSeconds) {
        return TaskAnswers.error(call, TaskError.OVERLOADED, StoreTrouble.OVERLOADED.message());
    }
}
