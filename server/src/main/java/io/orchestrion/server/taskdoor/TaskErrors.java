package io.orchestrion.server.taskdoor;

import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.CommonError;
import io.orchestrion.server.contract.ContractErrors;

import java.util.List;

/// The errors of the tasks door, and which of them every endpoint can answer with.
public final class TaskErrors extends ContractErrors<TaskError> {
    public static final TaskErrors ALL = new TaskErrors();

    private TaskErrors() {}

    @Override
    public TaskError of(CommonError common) {
        return switch (common) {
            case MISSING_KEY -> TaskError.MISSING_API_KEY;
            case INVALID_KEY -> TaskError.INVALID_API_KEY;
            case INSUFFICIENT_SCOPE -> TaskError.INSUFFICIENT_SCOPE;
            case INVALID_REQUEST -> TaskError.INVALID_REQUEST;
            case NOT_FOUND -> TaskError.NOT_FOUND;
            case METHOD_NOT_ALLOWED -> TaskError.METHOD_NOT_ALLOWED;
            case RATE_LIMITED -> TaskError.RATE_LIMITED;
            case OVERLOADED -> TaskError.OVERLOADED;
            case INSUFFICIENT_STORAGE -> TaskError.INSUFFICIENT_STORAGE;
            case SERVER_ERROR -> TaskError.SERVER_ERROR;
        };
    }

    @Override
    public List<TaskError> all() {
        return List.of(TaskError.values());
    }

    @Override
    public AgentContract guidance(TaskError error, String method, String path) {
        return TaskActions.forError(error, method, path);
    }
}
