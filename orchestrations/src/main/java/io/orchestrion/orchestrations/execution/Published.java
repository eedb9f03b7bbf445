package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.schema.SchemaFault;
import io.orchestrion.orchestrations.definition.Definition;
import io.orchestrion.orchestrations.definition.Schemas;
import io.orchestrion.orchestrations.definition.StepDetails;
import io.orchestrion.orchestrations.definition.StepSpec;

import java.util.List;
import java.util.UUID;

/// A published version of a definition, ready to be followed.
record Published(UUID account, Definition definition, Schemas schemas) {
    private static final int FAULTS_MAX = 20;

    StepSpec step(String id) {
        StepSpec step = definition.step(id);
        if (step == null) {
            throw new IllegalStateException("the published definition has no step " + id);
        }
        return step;
    }

    /// What is wrong with the input of an execution, each with its place; empty for nothing.
    List<String> inputFaults(String json) {
        return faults("input", definition.inputSchema(), json);
    }

    List<String> outputFaults(String json) {
        String schema = definition.outputSchema();
        return schema == null ? List.of() : faults("output", schema, json);
    }

    /// What is wrong with what a worker gave; empty for nothing, and for steps without a schema.
    List<String> resultFaults(String stepId, String json) {
        return step(stepId).details() instanceof StepDetails.Task task
                        && task.resultSchema() != null
                ? faults("result", task.resultSchema(), json)
                : List.of();
    }

    private List<String> faults(String name, String schema, String json) {
        List<SchemaFault> faults = schemas.check(account, schema, json);
        return faults.stream().limit(FAULTS_MAX).map(fault -> fault.of(name)).toList();
    }
}
