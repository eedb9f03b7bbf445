package io.orchestrion.bench.scenario;

import io.orchestrion.bench.StoreSql;
import io.orchestrion.bench.StoreSql.Address;
import io.orchestrion.bench.StoreSql.Updates;
import io.orchestrion.bench.load.Latencies;
import io.orchestrion.bench.load.Load;
import io.orchestrion.bench.load.Load.Outcome;
import io.orchestrion.bench.load.TaskClient;
import io.orchestrion.bench.load.TaskClient.Held;
import io.orchestrion.bench.meter.CostMeter;
import io.orchestrion.bench.report.Result;
import io.orchestrion.tools.ServerProgram;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Many holders that keep their tasks alive, one by one and a hundred a request.
final class HeartbeatScenario implements Scenario {
    private static final int CONNECTIONS = 64;
    private static final int BATCH_CONNECTIONS = 8;
    private static final int SIZE = 100;
    private static final int HELD_EACH = 200;

    /// Statistics of a session reach the table a moment after it has become idle.
    private static final long STATISTICS_MS = 1500;

    @Override
    public String name() {
        return "heartbeat";
    }

    @Override
    public String about() {
        return "many holders that renew their leases";
    }

    @Override
    public void run(Bench bench) throws Exception {
        bench.onServer(
                (database, node) -> {
                    measure(bench, database, node, CONNECTIONS, false);
                    measure(bench, database, node, BATCH_CONNECTIONS, true);
                });
    }

    private void measure(
            Bench bench, Address database, ServerProgram node, int connections, boolean batch)
            throws Exception {
        CostMeter meter = bench.meter(database, List.of(node));
        Updates before = StoreSql.updates(database, "work");
        Outcome outcome = bench.load(meter).closed(connections, _ -> new Holder(node, batch));
        Thread.sleep(STATISTICS_MS);
        // The claims of the holders are in it, too.
        double hot = StoreSql.updates(database, "work").hotShareSince(before);
        bench.add(
                Result.of(
                                name(),
                                connections + " connections" + (batch ? ", 100 each" : ""),
                                "renewals/s",
                                outcome,
                                meter)
                        .with("% HOT updates", hot * 100));
    }

    private static final class Holder implements Load.Worker {
        private final TaskClient client;
        private final boolean batch;
        private final List<Held> held = new ArrayList<>();
        private int next;

        Holder(ServerProgram node, boolean batch) throws IOException {
            client = new TaskClient(node.port(), node.key());
            this.batch = batch;
            int wanted = batch ? HELD_EACH : 1;
            while (held.size() < wanted) {
                int count = Math.min(SIZE, wanted - held.size());
                client.createMany(Lives.TYPE, count);
                held.addAll(client.claimMany(Lives.TYPE, count));
            }
        }

        @Override
        public int step(Latencies into, long dueNanos) throws IOException {
            if (!batch) {
                client.heartbeat(held.getFirst());
                into.record("heartbeat", dueNanos);
                return 1;
            }
            List<Held> some = held.subList(next, next + SIZE);
            next = (next + SIZE) % held.size();
            client.heartbeatMany(some);
            into.record("heartbeat", dueNanos);
            return some.size();
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
