package io.orchestrion.server.tasks;

import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.server.contract.ContractGates;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Gate;
import io.orchestrion.server.limits.RateLimiter;
import io.orchestrion.server.taskdoor.TaskError;
import io.orchestrion.server.taskdoor.TaskErrorAnswers;

import java.util.List;

/// The gates of the tasks door. Batches count their items against the limits themselves.
public final class TaskGates extends ContractGates<TaskError> {
    private TaskGates(Identity identity, RateLimiter limiter) {
        super(identity, limiter, TaskErrorAnswers.ALL);
    }

    public static List<Gate> of(Identity identity, RateLimiter limiter) {
        return new TaskGates(identity, limiter).gates();
    }

    @Override
    protected String limitOf(Endpoint endpoint) {
        return BatchEndpoints.countsItems(endpoint) ? "" : endpoint.limit();
    }

    @Override
    protected boolean wholeBody(Call call) {
        return !BatchEndpoints.comesInLines(call);
    }
}
