package io.orchestrion.bench.scenario;

import io.orchestrion.bench.load.TaskRequests;
import io.orchestrion.bench.load.Worker;

/// Whole lives of tasks over one connection.
final class Lives {
    static final String TYPE = "bench";

    private Lives() {}

    /// Create, claim, complete: one verb a request, one life a step.
    static Worker single(int port, String key, String type) {
        return new SingleLife(new TaskRequests(port, key), type);
    }

    /// The same with so many a request.
    static Worker batch(int port, String key, String type, int size) {
        return new BatchLife(new TaskRequests(port, key), type, size);
    }
}
