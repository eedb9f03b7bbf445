package io.orchestrion.server.contract;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.server.door.DoorError;
import io.orchestrion.server.door.StoreTrouble;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;

/// The answers of a door that are errors: `{error, message, request_id, agent_contract}`, with
/// `Retry-After` where a wait is part of the guidance.
///
/// @param <E> the door's errors
public final class ErrorAnswers<E extends DoorError> {
    private final ContractErrors<E> errors;

    public ErrorAnswers(ContractErrors<E> errors) {
        this.errors = errors;
    }

    public ContractErrors<E> errors() {
        return errors;
    }

    public Answer badRequest(Call call, String message) {
        return error(call, errors.of(CommonError.INVALID_REQUEST), message);
    }

    public Answer error(Call call, E error, String message) {
        return error(call, error, error.status(), message, guidance(call, error));
    }

    public Answer error(Call call, E error, int status, String message, AgentContract contract) {
        return error(call, error, status, message, contract, AgentContract.Details.NONE);
    }

    /// @param more writes further fields of the body
    public Answer error(
            Call call,
            E error,
            int status,
            String message,
            AgentContract contract,
            AgentContract.Details more) {
        return CallerScopes.paced(call, () -> paced(call, error, status, message, contract, more));
    }

    private Answer paced(
            Call call,
            E error,
            int status,
            String message,
            AgentContract contract,
            AgentContract.Details more) {
        call.fault(error.code(), message);
        Answer answer =
                Answer.json(
                        status,
                        JsonWriter.object(
                                out -> {
                                    write(out, error, message, call.requestId(), contract);
                                    more.write(out);
                                }));
        Long wait =
                CallerScopes.seen(contract.actions()).stream()
                        .map(NextAction::waitSeconds)
                        .filter(seconds -> seconds != null)
                        .findFirst()
                        .orElse(null);
        boolean retryLater = status == 503 || status == 429 || status == 507;
        return retryLater && wait != null ? answer.with("Retry-After", wait.toString()) : answer;
    }

    /// Refused for now: the same request may be sent again after the wait.
    public Answer later(Call call, E error, long seconds, String message) {
        return error(call, error, error.status(), message, repeat(call, error, seconds));
    }

    /// The store failed, and with it the whole request.
    public Answer troubled(Call call, StoreTrouble trouble) {
        E error = errors.of(trouble);
        return error(
                call,
                error,
                trouble == StoreTrouble.INTERNAL ? error.status() : error.statuses().getLast(),
                trouble.message(),
                repeat(call, error, trouble.waitSeconds()));
    }

    private static AgentContract repeat(Call call, DoorError error, long seconds) {
        return AgentContract.of(
                error.retryable(), NextAction.waitAndRepeat(seconds, call.method(), call.path()));
    }

    private AgentContract guidance(Call call, E error) {
        return errors.guidance(error, call.method(), call.path());
    }

    /// Writes the body of an error, with the usual guidance, into an object that is already open.
    public void write(JsonWriter out, Call call, E error, String message) {
        write(out, error, message, call.requestId(), guidance(call, error));
    }

    static void write(
            JsonWriter out,
            DoorError error,
            String message,
            String requestId,
            AgentContract contract) {
        out.text("error", error.code())
                .text("message", message)
                .text("request_id", requestId)
                .object("agent_contract", contract::write);
    }
}
