package io.orchestrion.bench.scenario;

import io.orchestrion.bench.load.Load;
import io.orchestrion.bench.load.Load.Outcome;
import io.orchestrion.bench.load.TaskClient;
import io.orchestrion.bench.meter.CostMeter;
import io.orchestrion.bench.report.Result;
import io.orchestrion.tools.ServerProgram;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// One account works quietly, first alone and then beside one that floods the server.
final class TenantsScenario implements Scenario {
    private static final int FLOODING_CONNECTIONS = 64;
    private static final int QUIET_CONNECTIONS = 8;
    private static final double QUIET_PER_SECOND = 20;

    @Override
    public String name() {
        return "tenants";
    }

    @Override
    public String about() {
        return "one account floods, one works quietly";
    }

    @Override
    public void run(Bench bench) throws Exception {
        bench.onServer(
                (database, node) -> {
                    String quietKey;
                    try (var client = new TaskClient(node.port(), node.key())) {
                        quietKey = client.register("quiet");
                    }
                    // Alone it makes too few requests to warm the server, and would be compared
                    // with a compiler at work.
                    bench.load(Load.Window.UNMETERED)
                            .closed(
                                    FLOODING_CONNECTIONS,
                                    _ -> Lives.single(node.port(), node.key(), Lives.TYPE));
                    Outcome alone = quiet(bench.load(Load.Window.UNMETERED), node, quietKey);
                    bench.add(Result.of(name(), "quiet, alone", Result.LIFE_CYCLES, alone, null));
                    CostMeter flooded = bench.meter(database, List.of(node));
                    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                        Load flood = bench.load(flooded);
                        Future<Outcome> flooding =
                                threads.submit(
                                        () ->
                                                flood.closed(
                                                        FLOODING_CONNECTIONS,
                                                        _ ->
                                                                Lives.single(
                                                                        node.port(),
                                                                        node.key(),
                                                                        Lives.TYPE)));
                        Outcome beside = quiet(bench.load(Load.Window.UNMETERED), node, quietKey);
                        bench.add(
                                Result.of(name(), "quiet, beside", Result.LIFE_CYCLES, beside, null)
                                        .with(
                                                "claim p99 beside/alone",
                                                beside.latencies().of("claim").p99()
                                                        / alone.latencies().of("claim").p99()));
                        bench.add(
                                Result.of(
                                        name(),
                                        "flooding",
                                        Result.LIFE_CYCLES,
                                        flooding.get(),
                                        flooded));
                    }
                });
    }

    private static Outcome quiet(Load load, ServerProgram node, String key)
            throws IOException, InterruptedException {
        return load.open(
                QUIET_CONNECTIONS,
                QUIET_PER_SECOND,
                _ -> Lives.single(node.port(), key, Lives.TYPE));
    }
}
