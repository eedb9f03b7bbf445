package io.orchestrion.server.queue;

import io.orchestrion.kernel.json.BodyFault;
import io.orchestrion.server.door.StoreTrouble;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Door;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// The queue door's own form for the answers that no handler writes: problem documents throughout.
public final class QueueDoor implements Door {
    private static final String ROOT = "/api/queue";

    @Override
    public String name() {
        return QueueEndpoints.DOOR;
    }

    @Override
    public boolean owns(String path) {
        return path.equals(ROOT) || path.startsWith(ROOT + "/");
    }

    @Override
    public Answer notFound(Call call) {
        return QueueProblems.error(call, QueueError.NOT_FOUND, "There is nothing at this path.");
    }

    @Override
    public Answer methodNotAllowed(Call call, Set<String> allowed) {
        return QueueProblems.error(
                call,
                QueueError.METHOD_NOT_ALLOWED,
                "This path answers to " + String.join(", ", allowed) + " only.");
    }

    @Override
    public Answer refused(Call call, int status, String message) {
        return QueueProblems.of(QueueError.INVALID_REQUEST, message).under(status).answer(call);
    }

    @Override
    public Answer invalid(Call call, List<BodyFault> faults) {
        String detail =
                faults.stream().map(BodyFault::message).collect(Collectors.joining("; ", "", "."));
        return QueueProblems.of(QueueError.INVALID_REQUEST, detail).with(faults).answer(call);
    }

    @Override
    public Answer bodyTooLarge(Call call, long maxBytes) {
        return QueueProblems.error(
                call,
                QueueError.BODY_TOO_LARGE,
                "The body must be at most " + maxBytes + " bytes.");
    }

    @Override
    public Answer unsupportedMediaType(Call call) {
        return QueueProblems.error(
                call,
                QueueError.UNSUPPORTED_MEDIA_TYPE,
                "The Content-Type must be application/json.");
    }

    @Override
    public boolean expects(Throwable failure) {
        return StoreTrouble.expected(failure);
    }

    @Override
    public Answer failed(Call call, Throwable failure) {
        StoreTrouble trouble = StoreTrouble.of(failure);
        QueueError error =
                switch (trouble) {
                    case OVERLOADED, BUSY -> QueueError.OVERLOADED;
                    case OUTCOME_UNKNOWN -> QueueError.OUTCOME_UNKNOWN;
                    case UNAVAILABLE -> QueueError.UNAVAILABLE;
                    case NO_ROOM -> QueueError.INSUFFICIENT_STORAGE;
                    case INTERNAL -> QueueError.SERVER_ERROR;
                };
        return error == QueueError.SERVER_ERROR
                ? QueueProblems.error(call, error, trouble.message())
                : QueueProblems.later(call, error, trouble.waitSeconds(), trouble.message());
    }

    @Override
    public Answer tooMuchInFlight(Call call, int retryAfterSeconds) {
        return QueueProblems.later(
                call, QueueError.RATE_LIMITED, retryAfterSeconds, TOO_MUCH_IN_FLIGHT);
    }

    @Override
    public Answer overloaded(Call call, int retryAfterSeconds) {
        return QueueProblems.later(
                call, QueueError.OVERLOADED, retryAfterSeconds, StoreTrouble.OVERLOADED.message());
    }
}
