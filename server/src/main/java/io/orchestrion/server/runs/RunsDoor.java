package io.orchestrion.server.runs;

import io.orchestrion.kernel.json.BodyFault;
import io.orchestrion.server.contract.ContractDoor;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;

import java.util.List;

/// The runs door's own form for the answers that no handler writes.
public final class RunsDoor extends ContractDoor<RunError> {
    public static final String NAME = "runs";

    public static final String ROOT = "/api/v1";
    public static final String RUNS = ROOT + "/runs";

    /// What is for whoever runs the server.
    public static final String ADMIN = ROOT + "/admin";

    public RunsDoor() {
        super(RunAnswers.ALL);
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
        return RunAnswers.badRequest(
                call, faults.getFirst().message(), faults.stream().map(RunDetail::of).toList());
    }

    /// One code and one status for every bad request, these two included.
    @Override
    public Answer bodyTooLarge(Call call, long maxBytes) {
        return RunAnswers.badRequest(call, "The body must be at most " + maxBytes + " bytes.");
    }

    @Override
    public Answer unsupportedMediaType(Call call) {
        return RunAnswers.badRequest(call, "The Content-Type must be application/json.");
    }
}
