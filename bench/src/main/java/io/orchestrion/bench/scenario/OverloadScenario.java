package io.orchestrion.bench.scenario;

import io.orchestrion.bench.load.Keeper;
import io.orchestrion.bench.load.Swarm;
import io.orchestrion.bench.load.TaskClient;
import io.orchestrion.bench.load.TaskRequests;
import io.orchestrion.bench.report.Result;
import io.orchestrion.tools.ServerProgram;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;

/// Far more creates than the machine can take, beside holders of leased tasks: what holders say
/// must get through, or their work is taken from them and done twice.
final class OverloadScenario implements Scenario {
    private static final String HELD = "held";
    private static final int KEEPERS = 8;
    private static final int HOLDS = 25;
    private static final String LEASE = ",\"leaseDurationSeconds\":30,\"maxAttempts\":10";
    private static final int ENDED_A_SECOND = 100;
    private static final int MADE_AT_ONCE = 500;
    private static final List<String> VERBS = List.of("heartbeat", "complete", "fail", "claim");

    private enum Phase {
        WARM_UP,
        COUNTED,
        OVER
    }

    @Override
    public String name() {
        return "overload";
    }

    @Override
    public String about() {
        return "creates without end on very many connections, beside holders of leased tasks";
    }

    @Override
    public void run(Bench bench) throws Exception {
        bench.onServer((_, node) -> measure(bench, node));
    }

    private void measure(Bench bench, ServerProgram node) throws Exception {
        var phase = new AtomicReference<>(Phase.WARM_UP);
        Duration window = bench.scale().overload();
        makeTasks(node, bench.scale().warmUp().plus(window));
        List<Keeper> keepers = new ArrayList<>();
        for (int i = 0; i < KEEPERS; i++) {
            keepers.add(
                    new Keeper(
                                    new TaskRequests(node.port(), node.key()),
                                    HELD,
                                    HOLDS,
                                    i,
                                    () -> phase.get() == Phase.COUNTED,
                                    () -> phase.get() == Phase.OVER)
                            .ready());
        }
        var requests = new TaskRequests(node.port(), node.key());
        var swarm =
                new Swarm(
                        node.port(),
                        bench.scale().creators(),
                        () -> requests.create("created"),
                        () -> phase.get() == Phase.COUNTED,
                        () -> phase.get() == Phase.OVER);
        try (var threads = Executors.newCachedThreadPool()) {
            Future<Swarm.Tally> creating;
            List<Future<Keeper.Tally>> keeping;
            try {
                creating = threads.submit(swarm);
                keeping = keepers.stream().map(threads::submit).toList();
                Thread.sleep(bench.scale().warmUp());
                phase.set(Phase.COUNTED);
                Thread.sleep(window);
            } finally {
                phase.set(Phase.OVER);
            }
            var all = new Keeper.Tally();
            for (Future<Keeper.Tally> each : keeping) {
                all.add(each.get());
            }
            tell(bench, window, creating.get(), all);
        }
    }

    private void tell(Bench bench, Duration window, Swarm.Tally created, Keeper.Tally kept) {
        double seconds = window.toMillis() / 1000.0;
        Result result =
                new Result(
                                name(),
                                bench.scale().creators() + " creators",
                                created.done() / seconds,
                                "creates/s",
                                kept.latencies().percentiles(),
                                null,
                                Map.of())
                        .with("creates refused/s", created.refused() / seconds)
                        .with("connections closed", created.closed());
        for (String verb : VERBS) {
            result = result.with(verb + "s/s", kept.asked(verb) / seconds);
            result = result.with("% of " + verb + "s good", kept.goodShare(verb) * 100);
        }
        bench.add(result.with("leases lost", kept.lost()));
    }

    private static void makeTasks(ServerProgram node, Duration lasting) throws IOException {
        long wanted = KEEPERS * HOLDS + ENDED_A_SECOND * lasting.toMillis() / 1000;
        try (var client = new TaskClient(node.port(), node.key())) {
            for (long made = 0; made < wanted; made += MADE_AT_ONCE) {
                client.createMany(HELD, MADE_AT_ONCE, LEASE);
            }
        }
    }
}
