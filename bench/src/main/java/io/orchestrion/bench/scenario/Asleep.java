package io.orchestrion.bench.scenario;

import io.orchestrion.bench.load.ExecutionClient;
import io.orchestrion.bench.meter.ProcessUsage;
import io.orchestrion.bench.report.Result;
import io.orchestrion.tools.ServerProgram;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// What executions cost that wait for a timer or for a person, on a server that has nothing to do.
final class Asleep {
    private static final int STARTERS = 16;
    private static final long A_DAY_MS = 86_400_000;

    /// Until a server has done what the load before has left for it.
    private static final long SETTLE_MS = 15_000;

    private static final long IDLE_MS = 15_000;

    private Asleep() {}

    private record Idle(double server, double database) {}

    static Result measured(Bench bench, ServerProgram node, String scenario) throws Exception {
        int each = bench.scale().asleep();
        Idle without = idle(bench, node);
        start(
                node,
                WorkflowScenario.published(node, Workflows.sleep(A_DAY_MS / 2)),
                "\"status\":\"running\"",
                each);
        start(
                node,
                WorkflowScenario.published(node, Workflows.approval()),
                "\"status\":\"waiting_approval\"",
                each);
        Idle with = idle(bench, node);
        return new Result(
                        scenario,
                        "%,d on timers, %,d on people".formatted(each, each),
                        2 * each,
                        "executions",
                        Map.of(),
                        null,
                        Map.of())
                .with("server % of a core", with.server())
                .with("before them", without.server())
                .with("database % of a core", with.database())
                .with("database before", without.database());
    }

    private static void start(ServerProgram node, String definition, String expected, int count)
            throws Exception {
        try (var threads = Executors.newFixedThreadPool(STARTERS)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < STARTERS; i++) {
                int share = count * (i + 1) / STARTERS - count * i / STARTERS;
                all.add(threads.submit(() -> startOf(node, definition, expected, share)));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
    }

    private static Void startOf(ServerProgram node, String definition, String expected, int count)
            throws IOException {
        try (var client = new ExecutionClient(node.port(), node.key())) {
            for (int i = 0; i < count; i++) {
                client.start(definition, expected);
            }
        }
        return null;
    }

    private static Idle idle(Bench bench, ServerProgram node) throws InterruptedException {
        Thread.sleep(Math.min(bench.scale().counted().toMillis(), SETTLE_MS));
        double server = ProcessUsage.cpuSeconds(node.pid());
        double store = ProcessUsage.cpuSecondsOfTree(bench.lab().postgresPid());
        long began = System.nanoTime();
        Thread.sleep(Math.min(bench.scale().counted().toMillis(), IDLE_MS));
        double seconds = (System.nanoTime() - began) / 1e9;
        return new Idle(
                (ProcessUsage.cpuSeconds(node.pid()) - server) * 100 / seconds,
                (ProcessUsage.cpuSecondsOfTree(bench.lab().postgresPid()) - store) * 100 / seconds);
    }
}
