package io.orchestrion.bench.scenario;

import io.orchestrion.bench.load.Answer;
import io.orchestrion.bench.load.Done;
import io.orchestrion.bench.load.Held;
import io.orchestrion.bench.load.Next;
import io.orchestrion.bench.load.Request;
import io.orchestrion.bench.load.RunRequests;
import io.orchestrion.bench.load.TaskRequests;
import io.orchestrion.bench.load.Worker;
import io.orchestrion.tools.ServerProgram;

/// Does the steps of runs, of this run or of another's, one a life, and starts a run after as many
/// of them as a run has.
final class RunLife implements Worker {
    /// A run is picked up first, and a step before it may have to end.
    private static final int WAIT_SECONDS = 20;

    private enum Awaited {
        CREATED,
        STARTED,
        CLAIMED,
        COMPLETED
    }

    private final int port;
    private final int steps;
    private final Request create;
    private final Request start;
    private final Request claim;
    private final Request complete;
    private Awaited awaited = Awaited.CREATED;
    private int left;

    /// @param steps of the plan
    /// @param first how many steps are done before the first run is started, so that not all
    ///     connections start theirs at once
    RunLife(ServerProgram node, String plan, int steps, long maxTokens, int first) {
        var tasks = new TaskRequests(node.port(), node.key());
        var runs = new RunRequests(node.port(), node.key());
        port = node.port();
        this.steps = steps;
        create = runs.create(plan, maxTokens).bearingRefusal();
        start = runs.start().bearingRefusal();
        claim = tasks.claim(RunPlans.TOOL, WAIT_SECONDS).bearingRefusal();
        complete = tasks.complete().bearingRefusal();
        left = first;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public Request begin() {
        if (left > 0) {
            awaited = Awaited.CLAIMED;
            return claim;
        }
        awaited = Awaited.CREATED;
        left = steps;
        return create;
    }

    @Override
    public Next answered(Answer answer) {
        if (answer.isRefusal()) {
            return again();
        }
        return switch (awaited) {
            case CREATED -> {
                awaited = Awaited.STARTED;
                yield start.id(answer.run());
            }
            case STARTED -> {
                awaited = Awaited.CLAIMED;
                yield claim;
            }
            case CLAIMED -> {
                Held held = answer.held();
                if (held == null) {
                    yield claim;
                }
                awaited = Awaited.COMPLETED;
                yield complete.name(0, held);
            }
            case COMPLETED -> {
                left--;
                yield Done.ONE;
            }
        };
    }

    private Request again() {
        return switch (awaited) {
            case CREATED -> create;
            case STARTED -> start;
            case CLAIMED -> claim;
            case COMPLETED -> complete;
        };
    }
}
