package io.orchestrion.bench.scenario;

import io.orchestrion.bench.load.Answer;
import io.orchestrion.bench.load.Done;
import io.orchestrion.bench.load.Next;
import io.orchestrion.bench.load.Request;
import io.orchestrion.bench.load.RunRequests;
import io.orchestrion.bench.load.Worker;
import io.orchestrion.tools.ServerProgram;

/// Makes a run, starts it, which reserves its credits, and cancels it, which gives them back. All
/// of them change the one balance of the account.
final class RunStart implements Worker {
    private enum Awaited {
        CREATED,
        STARTED,
        CANCELLED
    }

    private final int port;
    private final Request create;
    private final Request start;
    private final Request cancel;
    private Awaited awaited = Awaited.CREATED;
    private byte[] run = new byte[0];

    RunStart(ServerProgram node, String plan, long maxTokens) {
        var runs = new RunRequests(node.port(), node.key());
        port = node.port();
        create = runs.create(plan, maxTokens).bearingRefusal();
        start = runs.start().bearingRefusal();
        cancel = runs.cancel().bearingRefusal();
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public Request begin() {
        awaited = Awaited.CREATED;
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
                run = answer.run();
                yield start.id(run);
            }
            case STARTED -> {
                awaited = Awaited.CANCELLED;
                yield cancel.id(run);
            }
            case CANCELLED -> Done.ONE;
        };
    }

    private Request again() {
        return switch (awaited) {
            case CREATED -> create;
            case STARTED -> start;
            case CANCELLED -> cancel;
        };
    }
}
