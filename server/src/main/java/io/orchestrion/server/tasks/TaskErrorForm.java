package io.orchestrion.server.tasks;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.door.DoorError;
import io.orchestrion.server.door.ErrorForm;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Endpoint;

import java.util.List;

/// The tasks door's errors: a code, a sentence and the agent contract.
public final class TaskErrorForm implements ErrorForm {
    @Override
    public String mediaType() {
        return Answer.JSON;
    }

    @Override
    public ObjectSpec spec() {
        return TaskSpecs.ERROR_ANSWER;
    }

    @Override
    public String codeField() {
        return "error";
    }

    @Override
    public DoorError ofHttp() {
        return TaskError.INVALID_REQUEST;
    }

    @Override
    public List<? extends DoorError> all() {
        return List.of(TaskError.values());
    }

    @Override
    public List<? extends DoorError> of(Endpoint endpoint) {
        return TaskErrors.of(endpoint);
    }

    /// As the create operation would word it.
    @Override
    public void example(JsonWriter out, DoorError error, String requestId) {
        Endpoint asked = TaskEndpoints.CREATE;
        out.text("error", error.code())
                .text("message", error.meaning())
                .text("request_id", requestId)
                .object(
                        "agent_contract",
                        AgentContract.forError((TaskError) error, asked.method(), asked.path())
                                ::write);
    }
}
