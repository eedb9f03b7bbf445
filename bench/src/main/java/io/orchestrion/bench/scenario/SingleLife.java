package io.orchestrion.bench.scenario;

import io.orchestrion.bench.load.Answer;
import io.orchestrion.bench.load.Done;
import io.orchestrion.bench.load.Held;
import io.orchestrion.bench.load.Next;
import io.orchestrion.bench.load.Request;
import io.orchestrion.bench.load.TaskRequests;
import io.orchestrion.bench.load.Worker;

/// Create, claim, complete: one verb a request, one life a step.
final class SingleLife implements Worker {
    private enum Awaited {
        CREATED,
        CLAIMED,
        COMPLETED
    }

    private final int port;
    private final Request create;
    private final Request claim;
    private final Request complete;
    private Awaited awaited = Awaited.CREATED;

    SingleLife(TaskRequests requests, String type) {
        port = requests.port();
        create = requests.create(type);
        claim = requests.claim(type);
        complete = requests.complete();
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
        return switch (awaited) {
            case CREATED -> {
                awaited = Awaited.CLAIMED;
                yield claim;
            }
            case CLAIMED -> {
                awaited = Awaited.COMPLETED;
                Held held = answer.held();
                // Without one, others were just claiming it; the next claim finds what is left.
                yield held == null ? Done.NOTHING : complete.name(0, held);
            }
            case COMPLETED -> Done.ONE;
        };
    }
}
