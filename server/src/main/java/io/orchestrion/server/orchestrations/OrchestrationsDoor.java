package io.orchestrion.server.orchestrations;

import io.orchestrion.kernel.json.BodyFault;
import io.orchestrion.server.contract.ContractDoor;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;

import java.util.List;

/// The orchestrations door's own form for the answers that no handler writes.
public final class OrchestrationsDoor extends ContractDoor<OrchestrationError> {
    public static final String NAME = "orchestrations";

    static final String ROOT = "/v1/orchestrations";
    static final String DEFINITIONS = ROOT + "/definitions";
    static final String EXECUTIONS = ROOT + "/executions";

    public OrchestrationsDoor() {
        super(OrchestrationAnswers.ALL);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean owns(String path) {
        return path.equals(ROOT) || path.startsWith(ROOT + "/");
    }

    @Override
    public Answer invalid(Call call, List<BodyFault> faults) {
        return OrchestrationAnswers.badRequest(
                call, faults.getFirst().message(), faults.stream().map(ErrorDetail::of).toList());
    }

    /// One code and one status for every bad request, these two included.
    @Override
    public Answer bodyTooLarge(Call call, long maxBytes) {
        return OrchestrationAnswers.badRequest(
                call, "The body must be at most " + maxBytes + " bytes.");
    }

    @Override
    public Answer unsupportedMediaType(Call call) {
        return OrchestrationAnswers.badRequest(call, "The Content-Type must be application/json.");
    }
}
