package io.orchestrion.bench.scenario;

import io.orchestrion.bench.load.Load.Outcome;
import io.orchestrion.bench.meter.CostMeter;
import io.orchestrion.bench.report.Result;

import java.util.List;

/// A hundred tasks a request.
final class BatchScenario implements Scenario {
    private static final int CONNECTIONS = 8;
    private static final int SIZE = 100;

    @Override
    public String name() {
        return "batch";
    }

    @Override
    public String about() {
        return SIZE + " tasks a request: create, claim, complete";
    }

    @Override
    public void run(Bench bench) throws Exception {
        bench.onServer(
                (database, node) -> {
                    CostMeter meter = bench.meter(database, List.of(node));
                    Outcome outcome =
                            bench.load(meter)
                                    .closed(
                                            CONNECTIONS,
                                            _ ->
                                                    Lives.batch(
                                                            node.port(),
                                                            node.key(),
                                                            Lives.TYPE,
                                                            SIZE));
                    bench.add(
                            Result.of(
                                    name(),
                                    CONNECTIONS + " connections, " + SIZE + " each",
                                    Result.LIFE_CYCLES,
                                    outcome,
                                    meter));
                });
    }
}
