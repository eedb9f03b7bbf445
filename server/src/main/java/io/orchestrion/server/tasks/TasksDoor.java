package io.orchestrion.server.tasks;

import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Door;

import java.util.Set;

/// The tasks door's own form for the answers that no handler writes.
public final class TasksDoor implements Door {

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
        return failure instanceof StoreException store
                && store.kind() != StoreException.Kind.REJECTED;
    }

    @Override
    public Answer failed(Call call, Throwable failure) {
        if (failure instanceof StoreException store) {
            return switch (store.kind()) {
                case OVERLOADED -> overloaded(call, 1);
                case OUTCOME_UNKNOWN ->
                        TaskAnswers.error(
                                call,
                                TaskError.SERVER_ERROR,
                                "The connection to the store broke while this was being written: it"
                                    + " may or may not have been done. Check before sending it"
                                    + " again, or send it again with the same idempotency key.");
                case UNAVAILABLE ->
                        TaskAnswers.error(
                                call,
                                TaskError.SERVER_ERROR,
                                "The store cannot be reached; nothing was done.");
                case NO_ROOM ->
                        TaskAnswers.error(
                                call,
                                TaskError.SERVER_ERROR,
                                "The store has no room left; nothing was done.");
                case CONFLICT, LOCKED, TIMED_OUT, REJECTED -> internal(call);
            };
        }
        return internal(call);
    }

    private static Answer internal(Call call) {
        return TaskAnswers.error(
                call,
                TaskError.SERVER_ERROR,
                "Something went wrong on the server; it is logged under the request id.");
    }

    @Override
    public Answer overloaded(Call call, int retryAfterSeconds) {
        return TaskAnswers.error(
                call,
                TaskError.OVERLOADED,
                "Too much is under way at the moment; nothing was done.");
    }
}
