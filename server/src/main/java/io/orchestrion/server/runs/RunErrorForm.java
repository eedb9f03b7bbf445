package io.orchestrion.server.runs;

import io.orchestrion.server.contract.ContractErrorForm;

/// The errors of the runs door in the documents. The examples are those of creating a run.
public final class RunErrorForm extends ContractErrorForm<RunError> {
    public RunErrorForm() {
        super(RunErrors.ALL, RunSpecs.ERROR_ANSWER, "POST", RunsDoor.RUNS);
    }

    @Override
    public String prefix() {
        return RunsDoor.NAME + ".";
    }
}
