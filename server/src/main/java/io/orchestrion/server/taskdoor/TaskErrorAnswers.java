package io.orchestrion.server.taskdoor;

import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.ErrorAnswers;
import io.orchestrion.server.door.StoreTrouble;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;

/// The answers of the tasks door that are errors, for every subject of the door.
public final class TaskErrorAnswers {
    public static final ErrorAnswers<TaskError> ALL = new ErrorAnswers<>(TaskErrors.ALL);

    private TaskErrorAnswers() {}

    public static Answer badRequest(Call call, String message) {
        return ALL.badRequest(call, message);
    }

    public static Answer error(Call call, TaskError error, String message) {
        return ALL.error(call, error, message);
    }

    public static Answer error(
            Call call, TaskError error, int status, String message, AgentContract contract) {
        return ALL.error(call, error, status, message, contract);
    }

    /// Refused for now: the same request may be sent again after the wait.
    public static Answer later(Call call, TaskError error, long seconds, String message) {
        return ALL.later(call, error, seconds, message);
    }

    /// The store failed, and with it the whole request.
    public static Answer troubled(Call call, StoreTrouble trouble) {
        return ALL.troubled(call, trouble);
    }
}
