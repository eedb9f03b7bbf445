package io.orchestrion.server.contract;

import io.orchestrion.server.door.DoorError;
import io.orchestrion.server.door.StoreTrouble;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Door;

import java.util.Set;

/// The answers that no handler writes, of a door whose errors have an agent contract.
///
/// @param <E> the door's errors
public abstract class ContractDoor<E extends DoorError> implements Door {
    protected static final String NOTHING_HERE = "There is nothing at this path.";

    private final ErrorAnswers<E> answers;
    private final ContractErrors<E> errors;

    protected ContractDoor(ErrorAnswers<E> answers) {
        this.answers = answers;
        this.errors = answers.errors();
    }

    @Override
    public Answer notFound(Call call) {
        return answers.error(call, errors.of(CommonError.NOT_FOUND), NOTHING_HERE);
    }

    @Override
    public Answer methodNotAllowed(Call call, Set<String> allowed) {
        return answers.error(
                call,
                errors.of(CommonError.METHOD_NOT_ALLOWED),
                "This path answers to " + String.join(", ", allowed) + " only.");
    }

    @Override
    public Answer refused(Call call, int status, String message) {
        E error = errors.of(CommonError.INVALID_REQUEST);
        return answers.error(
                call, error, status, message, errors.guidance(error, call.method(), call.path()));
    }

    @Override
    public boolean expects(Throwable failure) {
        return StoreTrouble.expected(failure);
    }

    @Override
    public Answer failed(Call call, Throwable failure) {
        return answers.troubled(call, StoreTrouble.of(failure));
    }

    @Override
    public Answer tooMuchInFlight(Call call, int retryAfterSeconds) {
        return answers.later(
                call, errors.of(CommonError.RATE_LIMITED), retryAfterSeconds, TOO_MUCH_IN_FLIGHT);
    }

    @Override
    public Answer overloaded(Call call, int retryAfterSeconds) {
        return answers.error(
                call, errors.of(CommonError.OVERLOADED), StoreTrouble.OVERLOADED.message());
    }
}
