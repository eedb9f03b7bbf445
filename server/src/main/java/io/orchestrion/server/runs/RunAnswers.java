package io.orchestrion.server.runs;

import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.ErrorAnswers;
import io.orchestrion.server.door.StoreTrouble;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;

import java.util.List;

/// What the answers of the runs door share: its errors.
public final class RunAnswers {
    static final ErrorAnswers<RunError> ALL = new ErrorAnswers<>(RunErrors.ALL);

    private RunAnswers() {}

    public static Answer badRequest(Call call, String message) {
        return ALL.badRequest(call, message);
    }

    /// With all that is wrong.
    public static Answer badRequest(Call call, String message, List<RunDetail> details) {
        return detailed(call, RunError.INVALID_REQUEST, message, details);
    }

    public static Answer detailed(
            Call call, RunError error, String message, List<RunDetail> details) {
        return error(
                call,
                error,
                message,
                guidance(call, error),
                out -> out.objects("details", details, (each, detail) -> detail.write(each)));
    }

    /// In the words of the catalogue.
    public static Answer error(Call call, RunError error) {
        return ALL.error(call, error, error.meaning());
    }

    public static Answer error(Call call, RunError error, String message) {
        return ALL.error(call, error, message);
    }

    public static Answer error(Call call, RunError error, String message, AgentContract contract) {
        return ALL.error(call, error, error.status(), message, contract);
    }

    /// @param more further fields of the body
    public static Answer error(
            Call call,
            RunError error,
            String message,
            AgentContract contract,
            AgentContract.Details more) {
        return ALL.error(call, error, error.status(), message, contract, more);
    }

    /// Refused for now: the same request may be sent again after the wait.
    public static Answer later(Call call, RunError error, long seconds, String message) {
        return ALL.later(call, error, seconds, message);
    }

    public static Answer troubled(Call call, StoreTrouble trouble) {
        return ALL.troubled(call, trouble);
    }

    static AgentContract guidance(Call call, RunError error) {
        return RunActions.forError(error, call.method(), call.path());
    }

    public static Answer badCursor(Call call) {
        return badRequest(call, "cursor is not one that this endpoint has given.");
    }
}
