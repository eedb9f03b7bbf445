package io.orchestrion.server.orchestrations;

import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.CommonError;
import io.orchestrion.server.contract.ContractErrors;

import java.util.List;

/// The errors of the orchestrations door, and which of them every endpoint can answer with.
public final class OrchestrationErrors extends ContractErrors<OrchestrationError> {
    public static final OrchestrationErrors ALL = new OrchestrationErrors();

    private OrchestrationErrors() {}

    @Override
    public OrchestrationError of(CommonError common) {
        return switch (common) {
            case MISSING_KEY -> OrchestrationError.MISSING_API_KEY;
            case INVALID_KEY -> OrchestrationError.INVALID_API_KEY;
            case INSUFFICIENT_SCOPE -> OrchestrationError.FORBIDDEN;
            case INVALID_REQUEST -> OrchestrationError.INVALID_REQUEST;
            case NOT_FOUND -> OrchestrationError.NOT_FOUND;
            case METHOD_NOT_ALLOWED -> OrchestrationError.METHOD_NOT_ALLOWED;
            case RATE_LIMITED -> OrchestrationError.RATE_LIMITED;
            case OVERLOADED -> OrchestrationError.OVERLOADED;
            case INSUFFICIENT_STORAGE -> OrchestrationError.INSUFFICIENT_STORAGE;
            case SERVER_ERROR -> OrchestrationError.SERVER_ERROR;
        };
    }

    @Override
    public List<OrchestrationError> all() {
        return List.of(OrchestrationError.values());
    }

    @Override
    public AgentContract guidance(OrchestrationError error, String method, String path) {
        return OrchestrationActions.forError(error, method, path);
    }
}
