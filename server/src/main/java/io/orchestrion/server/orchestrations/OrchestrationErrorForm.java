package io.orchestrion.server.orchestrations;

import io.orchestrion.server.contract.ContractErrorForm;

/// The errors of the orchestrations door in the documents. The examples are those of starting an
/// execution.
public final class OrchestrationErrorForm extends ContractErrorForm<OrchestrationError> {
    public OrchestrationErrorForm() {
        super(
                OrchestrationErrors.ALL,
                OrchestrationSpecs.ERROR_ANSWER,
                "POST",
                OrchestrationsDoor.EXECUTIONS);
    }

    @Override
    public String prefix() {
        return OrchestrationsDoor.NAME + ".";
    }
}
