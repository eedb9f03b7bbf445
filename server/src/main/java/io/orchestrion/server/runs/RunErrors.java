package io.orchestrion.server.runs;

import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.CommonError;
import io.orchestrion.server.contract.ContractErrors;

import java.util.List;

/// The errors of the runs door, and which of them every endpoint can answer with.
public final class RunErrors extends ContractErrors<RunError> {
    public static final RunErrors ALL = new RunErrors();

    private RunErrors() {}

    @Override
    public RunError of(CommonError common) {
        return switch (common) {
            case MISSING_KEY -> RunError.MISSING_API_KEY;
            case INVALID_KEY -> RunError.INVALID_API_KEY;
            case INSUFFICIENT_SCOPE -> RunError.FORBIDDEN;
            case INVALID_REQUEST -> RunError.INVALID_REQUEST;
            case NOT_FOUND -> RunError.NOT_FOUND;
            case METHOD_NOT_ALLOWED -> RunError.METHOD_NOT_ALLOWED;
            case RATE_LIMITED -> RunError.RATE_LIMITED;
            case OVERLOADED -> RunError.OVERLOADED;
            case INSUFFICIENT_STORAGE -> RunError.INSUFFICIENT_STORAGE;
            case SERVER_ERROR -> RunError.SERVER_ERROR;
        };
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
