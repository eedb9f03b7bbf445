package io.orchestrion.bench.scenario;

import io.orchestrion.bench.load.Latencies;
import io.orchestrion.bench.load.Load;
import io.orchestrion.bench.load.TaskClient;
import io.orchestrion.bench.load.TaskClient.Held;

import java.io.IOException;
import java.util.List;

/// Whole lives of tasks over one connection.
final class Lives {
    static final String TYPE = "bench";

    private Lives() {}

    /// Create, claim, complete: one verb a request, one life a step.
    static Load.Worker single(int port, String key, String type) throws IOException {
        return new Single(new TaskClient(port, key), type);
    }

    private record Single(TaskClient client, String type) implements Load.Worker {
        @Override
        public int step(Latencies into, long dueNanos) throws IOException {
            client.create(type);
            into.record("create", dueNanos);
            long claiming = System.nanoTime();
            Held held = client.claim(type, 0);
            into.record("claim", claiming);
            if (held == null) {
                // Others were just claiming it; the next claim finds what is left.
                return 0;
            }
            long completing = System.nanoTime();
            client.complete(held);
            into.record("complete", completing);
            return 1;
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /// The same with so many a request.
    static Load.Worker batch(int port, String key, String type, int size) throws IOException {
        return new Batch(new TaskClient(port, key), type, size);
    }

    private record Batch(TaskClient client, String type, int size) implements Load.Worker {
        @Override
        public int step(Latencies into, long dueNanos) throws IOException {
            client.createMany(type, size);
            into.record("create", dueNanos);
            long claiming = System.nanoTime();
            List<Held> held = client.claimMany(type, size);
            into.record("claim", claiming);
            if (held.isEmpty()) {
                return 0;
            }
            long completing = System.nanoTime();
            client.completeMany(held);
            into.record("complete", completing);
            return held.size();
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
