package io.orchestrion.server.taskdoor;

import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.ContractErrors;

import java.util.List;

/// The errors of the tasks door, and which of them every endpoint can answer with.
public final class TaskErrors extends ContractErrors<TaskError> {
    public static final TaskErrors ALL = new TaskErrors();

    private TaskErrors() {}

    @Override
    public TaskError missingKey() {
        return TaskError.MISSING_API_KEY;
    }

    @Override
    public TaskError invalidKey() {
        return TaskError.INVALID_API_KEY;
    }

    @Override
    public TaskError insufficientScope() {
        return TaskError.INSUFFICIENT_SCOPE;
    }

    @Override
    public TaskError invalidRequest() {
        return TaskError.INVALID_REQUEST;
    }

    @Override
    public TaskError notFound() {
        return TaskError.NOT_FOUND;
    }

    @Override
    public TaskError methodNotAllowed() {
        return TaskError.METHOD_NOT_ALLOWED;
    }

    @Override
    public TaskError rateLimited() {
        return TaskError.RATE_LIMITED;
    }

    @Override
    public TaskError overloaded() {
        return TaskError.OVERLOADED;
    }

    @Override
    public TaskError insufficientStorage() {
        return TaskError.INSUFFICIENT_STORAGE;
    }

    @Override
    public TaskError serverError() {
        return TaskError.SERVER_ERROR;
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
