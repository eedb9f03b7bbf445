package io.orchestrion.bench.scenario;

import io.orchestrion.bench.StoreSql.Address;
import io.orchestrion.bench.load.Load.Outcome;
import io.orchestrion.bench.meter.CostMeter;
import io.orchestrion.bench.report.Result;
import io.orchestrion.tools.ServerProgram;

import java.util.ArrayList;
import java.util.List;

/// The same load on one, two and three servers of one database. On one machine they share its
/// processors: it shows what several cost each other, not what more machines would give.
final class NodesScenario implements Scenario {
    private static final int CONNECTIONS = 64;
    private static final int NODES_MAX = 3;

    @Override
    public String name() {
        return "nodes";
    }

    @Override
    public String about() {
        return "1, 2 and 3 servers on one database";
    }

    @Override
    public void run(Bench bench) throws Exception {
        for (int i = 1; i <= NODES_MAX; i++) {
            int count = i;
            bench.onDatabase(database -> measure(bench, database, count));
        }
    }

    private void measure(Bench bench, Address database, int count) throws Exception {
        var nodes = new ArrayList<ServerProgram>();
        try {
            while (nodes.size() < count) {
                nodes.add(bench.lab().start(database));
            }
            CostMeter meter = bench.meter(database, List.copyOf(nodes));
            Outcome outcome =
                    bench.load(meter)
                            .closed(
                                    CONNECTIONS,
                                    number -> {
                                        ServerProgram node = nodes.get(number % count);
                                        return Lives.single(node.port(), node.key(), Lives.TYPE);
                                    });
            bench.add(
                    Result.of(
                            name(),
                            count + (count == 1 ? " server" : " servers"),
                            Result.LIFE_CYCLES,
                            outcome,
                            meter));
        } finally {
            nodes.forEach(ServerProgram::close);
        }
    }
}
