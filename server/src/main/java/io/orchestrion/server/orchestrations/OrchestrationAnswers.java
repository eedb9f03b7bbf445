package io.orchestrion.server.orchestrations;

import io.orchestrion.orchestrations.execution.Person;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.ErrorAnswers;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;

import java.util.List;

/// What the answers of the orchestrations door share: errors, pages, and who is asking.
final class OrchestrationAnswers {
    static final ErrorAnswers<OrchestrationError> ALL = new ErrorAnswers<>(OrchestrationErrors.ALL);

    private OrchestrationAnswers() {}

    static Answer badRequest(Call call, String message) {
        return ALL.badRequest(call, message);
    }

    /// With all that is wrong.
    static Answer badRequest(Call call, String message, List<ErrorDetail> details) {
        OrchestrationError error = OrchestrationError.INVALID_REQUEST;
        return ALL.error(
                call,
                error,
                error.status(),
                message,
                OrchestrationActions.forError(error, call.method(), call.path()),
                out -> out.objects("details", details, (each, detail) -> detail.write(each)));
    }

    static Answer error(Call call, OrchestrationError error, String message) {
        return ALL.error(call, error, message);
    }

    static Answer error(
            Call call, OrchestrationError error, String message, AgentContract contract) {
        return ALL.error(call, error, error.status(), message, contract);
    }

    static Answer badCursor(Call call) {
        return badRequest(call, "cursor is not one that this endpoint has given.");
    }

    /// @param limit the name of the limit in the definition
    static String tooMany(String limit, int most) {
        return limit + " of the definition is " + most + ", and so many executions are under way.";
    }

    static Person person(Call call) {
        return new Person(Callers.caller(call).keyId(), null);
    }
}
