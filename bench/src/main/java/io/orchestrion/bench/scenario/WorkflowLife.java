package io.orchestrion.bench.scenario;

import io.orchestrion.bench.load.Answer;
import io.orchestrion.bench.load.Done;
import io.orchestrion.bench.load.ExecutionRequests;
import io.orchestrion.bench.load.Held;
import io.orchestrion.bench.load.Next;
import io.orchestrion.bench.load.Request;
import io.orchestrion.bench.load.TaskRequests;
import io.orchestrion.bench.load.Worker;
import io.orchestrion.tools.ServerProgram;

/// Starts an execution and does as many steps as it has, of this execution or of another's.
final class WorkflowLife implements Worker {
    /// A step of another execution may have to end first.
    private static final int WAIT_SECONDS = 20;

    private enum Awaited {
        STARTED,
        CLAIMED,
        COMPLETED
    }

    private final int port;
    private final int steps;
    private final Request start;
    private final Request claim;
    private final Request complete;
    private Awaited awaited = Awaited.STARTED;
    private int left;

    WorkflowLife(ServerProgram node, String definition, int steps) {
        var tasks = new TaskRequests(node.port(), node.key());
        this.steps = steps;
        port = node.port();
        start = new ExecutionRequests(node.port(), node.key()).start(definition);
        claim = tasks.claim(Workflows.TYPE, WAIT_SECONDS);
        complete = tasks.complete();
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public Request begin() {
        awaited = Awaited.STARTED;
        left = steps;
        return start;
    }

    @Override
    public Next answered(Answer answer) {
        return switch (awaited) {
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
                awaited = Awaited.CLAIMED;
                left--;
                yield left == 0 ? Done.ONE : claim;
            }
        };
    }

    /// An execution that has come to its end when the start of it is answered.
    static Worker atOnce(ServerProgram node, String definition) {
        Request start =
                new ExecutionRequests(node.port(), node.key())
                        .start(definition, "\"status\":\"succeeded\"");
        return new Worker() {
            @Override
            public int port() {
                return node.port();
            }

            @Override
            public Request begin() {
                return start;
            }

            @Override
            public Next answered(Answer answer) {
                return Done.ONE;
            }
        };
    }
}
