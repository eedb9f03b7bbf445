package io.orchestrion.server.orchestrations;

import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.ContractErrors;

import java.util.List;

/// The errors of the orchestrations door, and which of them every endpoint can answer with.
public final class OrchestrationErrors extends ContractErrors<OrchestrationError> {
    public static final OrchestrationErrors ALL = new OrchestrationErrors();

    private OrchestrationErrors() {}

    @Override
    public OrchestrationError missingKey() {
        return OrchestrationError.MISSING_API_KEY;
    }

    @Override
    public OrchestrationError invalidKey() {
        return OrchestrationError.INVALID_API_KEY;
    }

    @Override
    public OrchestrationError insufficientScope() {
        return OrchestrationError.FORBIDDEN;
    }

    @Override
    public OrchestrationError invalidRequest() {
        return OrchestrationError.INVALID_REQUEST;
    }

    @Override
    public OrchestrationError notFound() {
        return OrchestrationError.NOT_FOUND;
    }

    @Override
    public OrchestrationError methodNotAllowed() {
        return OrchestrationError.METHOD_NOT_ALLOWED;
    }

    @Override
    public OrchestrationError rateLimited() {
        return OrchestrationError.RATE_LIMITED;
    }

    @Override
    public OrchestrationError overloaded() {
        return OrchestrationError.OVERLOADED;
    }

    @Override
    public OrchestrationError insufficientStorage() {
        return OrchestrationError.INSUFFICIENT_STORAGE;
    }

    @Override
    public OrchestrationError serverError() {
        return OrchestrationError.SERVER_ERROR;
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
