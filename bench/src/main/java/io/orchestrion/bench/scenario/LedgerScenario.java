package io.orchestrion.bench.scenario;

import io.orchestrion.bench.load.Load.Outcome;
import io.orchestrion.bench.load.Load.Window;
import io.orchestrion.bench.meter.CostMeter;
import io.orchestrion.bench.report.Result;

import java.util.List;

/// Starts of runs of one account, each of which reserves credits of its one balance.
final class LedgerScenario implements Scenario {
    private static final int CONNECTIONS = 64;
    private static final int FEW = 8;
    private static final long TOKENS = 1_000;

    @Override
    public String name() {
        return "ledger";
    }

    @Override
    public String about() {
        return "runs of one account made, started and cancelled at once: reservations of one"
                + " balance";
    }

    @Override
    public void run(Bench bench) throws Exception {
        bench.onServer(
                (database, node) -> {
                    String plan = RunPlans.inRows(1, 1, 1);
                    // A server that is still being compiled would refuse some of so many at once.
                    bench.load(Window.UNMETERED).closed(FEW, _ -> new RunStart(node, plan, TOKENS));
                    CostMeter meter = bench.meter(database, List.of(node));
                    Outcome outcome =
                            bench.load(meter)
                                    .closed(CONNECTIONS, _ -> new RunStart(node, plan, TOKENS));
                    bench.add(
                            Result.of(
                                    name(),
                                    CONNECTIONS + " connections",
                                    "starts/s",
                                    outcome,
                                    meter));
                });
    }
}
