package io.orchestrion.bench.scenario;

import io.orchestrion.bench.load.Answer;
import io.orchestrion.bench.load.Done;
import io.orchestrion.bench.load.Held;
import io.orchestrion.bench.load.Next;
import io.orchestrion.bench.load.Request;
import io.orchestrion.bench.load.TaskRequests;
import io.orchestrion.bench.load.Worker;

import java.util.List;

/// Create, claim, complete with many tasks a request.
final class BatchLife implements Worker {
    private enum Awaited {
        CREATED,
        CLAIMED,
        COMPLETED
    }

    private final TaskRequests requests;
    private final Request create;
    private final Request claim;
    private Request complete;
    private Awaited awaited = Awaited.CREATED;

    BatchLife(TaskRequests requests, String type, int size) {
        this.requests = requests;
        create = requests.createMany(type, size);
        claim = requests.claimMany(type, size);
        complete = requests.completeMany(size);
    }

    @Override
    public int port() {
        return requests.port();
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
                List<Held> held = answer.allHeld();
                // Without any, others were just claiming them; the next claim finds what is left.
                yield held.isEmpty() ? Done.NOTHING : completing(held);
            }
            case COMPLETED -> new Done(complete.names());
        };
    }

    private Request completing(List<Held> held) {
        if (complete.names() != held.size()) {
            complete = requests.completeMany(held.size());
        }
        return complete.name(held);
    }
}
