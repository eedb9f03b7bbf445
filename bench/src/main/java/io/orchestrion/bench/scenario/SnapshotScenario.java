package io.orchestrion.bench.scenario;

import io.orchestrion.bench.StoreSql;
import io.orchestrion.bench.load.Load;
import io.orchestrion.bench.load.Load.Outcome;
import io.orchestrion.bench.meter.CostMeter;
import io.orchestrion.bench.report.Result;
import io.orchestrion.tools.ServerProgram;

import java.io.IOException;
import java.util.List;

/// Somebody holds an old snapshot, a backup or a forgotten session, so that nothing dead is cleared
/// away; and the load goes on.
final class SnapshotScenario implements Scenario {
    private static final int CONNECTIONS = 32;

    @Override
    public String name() {
        return "snapshot";
    }

    @Override
    public String about() {
        return "an old snapshot is held while the load goes on";
    }

    @Override
    public void run(Bench bench) throws Exception {
        bench.onServer(
                (database, node) -> {
                    CostMeter meter = bench.meter(database, List.of(node));
                    Outcome before = lives(bench.warmLoad(meter), node);
                    bench.add(Result.of(name(), "before", Result.LIFE_CYCLES, before, meter));
                    try (var _ = StoreSql.holdSnapshot(database)) {
                        bench.say(
                                "  holding a snapshot for "
                                        + Scale.inSeconds(bench.scale().heldSnapshot())
                                        + " s; what counts is the end of it");
                        CostMeter heldMeter = bench.meter(database, List.of(node));
                        var load =
                                new Load(
                                        bench.scale().heldSnapshot().minus(bench.scale().counted()),
                                        bench.scale().counted(),
                                        heldMeter);
                        Outcome held = lives(load, node);
                        bench.add(
                                Result.of(
                                                name(),
                                                "held for "
                                                        + Scale.inSeconds(
                                                                bench.scale().heldSnapshot())
                                                        + " s",
                                                Result.LIFE_CYCLES,
                                                held,
                                                heldMeter)
                                        .with(
                                                "claim p99 held/before",
                                                held.latencies().of("claim").p99()
                                                        / before.latencies().of("claim").p99()));
                    }
                });
    }

    private static Outcome lives(Load load, ServerProgram node)
            throws IOException, InterruptedException {
        return load.closed(CONNECTIONS, _ -> Lives.single(node.port(), node.key(), Lives.TYPE));
    }
}
