package io.orchestrion.bench.scenario;

import io.orchestrion.bench.StoreSql;
import io.orchestrion.bench.StoreSql.Address;
import io.orchestrion.bench.StoreSql.Updates;
import io.orchestrion.bench.load.Answer;
import io.orchestrion.bench.load.Done;
import io.orchestrion.bench.load.Held;
import io.orchestrion.bench.load.Load.Outcome;
import io.orchestrion.bench.load.Next;
import io.orchestrion.bench.load.Request;
import io.orchestrion.bench.load.TaskClient;
import io.orchestrion.bench.load.TaskRequests;
import io.orchestrion.bench.load.Worker;
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
        StoreSql.awaitStatistics();
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

    /// Renews all that it holds in turns.
    private static final class Holder implements Worker {
        private final int port;
        private final List<Request> renewals = new ArrayList<>();
        private final Done done;
        private int next;

        Holder(ServerProgram node, boolean batch) throws IOException {
            port = node.port();
            done = new Done(batch ? SIZE : 1);
            var requests = new TaskRequests(port, node.key());
            try (var client = new TaskClient(requests)) {
                int wanted = batch ? HELD_EACH / SIZE : 1;
                while (renewals.size() < wanted) {
                    List<Held> held = claimed(client, done.count());
                    Request renewal =
                            batch ? requests.heartbeatMany(held.size()) : requests.heartbeat();
                    renewals.add(renewal.name(held));
                }
            }
        }

        private static List<Held> claimed(TaskClient client, int count) throws IOException {
            var held = new ArrayList<Held>();
            client.createMany(Lives.TYPE, count);
            while (held.size() < count) {
                held.addAll(client.claimMany(Lives.TYPE, count - held.size()));
            }
            return held;
        }

        @Override
        public int port() {
            return port;
        }

        @Override
        public Request begin() {
            next = (next + 1) % renewals.size();
            return renewals.get(next);
        }

        @Override
        public Next answered(Answer answer) {
            return done;
        }
    }
}
