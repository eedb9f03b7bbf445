package io.orchestrion.bench.scenario;

import io.orchestrion.bench.load.Load.Outcome;
import io.orchestrion.bench.meter.CostMeter;
import io.orchestrion.bench.report.Result;

import java.util.List;

/// One verb a request, as fast as it goes, and then at a steady pace below that.
final class SingleScenario implements Scenario {
    private static final int CONNECTIONS = 64;
    private static final int OPEN_CONNECTIONS = 128;
    private static final double EASY = 0.7;

    @Override
    public String name() {
        return "single";
    }

    @Override
    public String about() {
        return "one verb a request: create, claim, complete";
    }

    @Override
    public void run(Bench bench) throws Exception {
        bench.onServer(
                (database, node) -> {
                    CostMeter meter = bench.meter(database, List.of(node));
                    Outcome full =
                            bench.load(meter)
                                    .closed(
                                            CONNECTIONS,
                                            _ -> Lives.single(node.port(), node.key(), Lives.TYPE));
                    bench.add(
                            Result.of(
                                    name(),
                                    CONNECTIONS + " connections",
                                    Result.LIFE_CYCLES,
                                    full,
                                    meter));
                    double pace = full.perSecond() * EASY;
                    CostMeter easyMeter = bench.meter(database, List.of(node));
                    Outcome easy =
                            bench.load(easyMeter)
                                    .open(
                                            OPEN_CONNECTIONS,
                                            pace,
                                            _ -> Lives.single(node.port(), node.key(), Lives.TYPE));
                    bench.add(
                            Result.of(
                                    name(),
                                    "at 70 % of that, open loop",
                                    Result.LIFE_CYCLES,
                                    easy,
                                    easyMeter));
                });
    }
}
