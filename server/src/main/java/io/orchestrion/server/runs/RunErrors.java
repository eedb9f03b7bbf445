package io.orchestrion.server.runs;

import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.ContractErrors;

import java.util.List;

/// The errors of the runs door, and which of them every endpoint can answer with.
public final class RunErrors extends ContractErrors<RunError> {
    public static final RunErrors ALL = new RunErrors();

    private RunErrors() {}

    @Override
    public RunError missingKey() {
        return RunError.MISSING_API_KEY;
    }

    @Override
    public RunError invalidKey() {
        return RunError.INVALID_API_KEY;
    }

    @Override
    public RunError insufficientScope() {
        return RunError.FORBIDDEN;
    }

    @Override
    public RunError invalidRequest() {
        return RunError.INVALID_REQUEST;
    }

    @Override
    public RunError notFound() {
        return RunError.NOT_FOUND;
    }

    @Override
    public RunError methodNotAllowed() {
        return RunError.METHOD_NOT_ALLOWED;
    }

    @Override
    public RunError rateLimited() {
        return RunError.RATE_LIMITED;
    }

    @Override
    public RunError overloaded() {
        return RunError.OVERLOADED;
    }

    @Override
    public RunError insufficientStorage() {
        return RunError.INSUFFICIENT_STORAGE;
    }

    @Override
    public RunError serverError() {
        return RunError.SERVER_ERROR;
    }

    @Override
    public List<RunError> all() {
        return List.of(RunError.values());
    }

    @Override
    public AgentContract guidance(RunError error, String method, String path) {
        return RunActions.forError(error, method, path);
    }
}
