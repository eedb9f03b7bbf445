package io.orchestrion.bench.scenario;

import io.orchestrion.bench.StoreSql;
import io.orchestrion.bench.StoreSql.Address;
import io.orchestrion.bench.load.Load;
import io.orchestrion.bench.load.Load.Outcome;
import io.orchestrion.bench.load.TaskClient;
import io.orchestrion.bench.meter.CostMeter;
import io.orchestrion.bench.report.Result;
import io.orchestrion.tools.ServerProgram;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// What counting costs: the same lives of accounts that are not counted, and of as many that are
/// counted in all their windows and never refused. In turns, because a machine has its moods.
final class LimitsScenario implements Scenario {
    private static final int CONNECTIONS = 16;
    private static final int ACCOUNTS = 8;
    private static final int TURNS = 2;

    private record Crew(String name, List<String> keys) {}

    @Override
    public String name() {
        return "limits";
    }

    @Override
    public String about() {
        return "accounts without limits and with, in turns";
    }

    @Override
    public void run(Bench bench) throws Exception {
        bench.onServer(
                (database, node) -> {
                    var one = new Crew("1 unlimited", List.of(node.key()));
                    var several = new Crew(ACCOUNTS + " unlimited", register(node, "free-of-it"));
                    StoreSql.liftLimits(database, "free-of-it");
                    // On the free plan, which is counted by address, key and account.
                    var limited = new Crew(ACCOUNTS + " limited", register(node, "limited"));
                    // Whoever comes first would meet a server that is still being compiled.
                    lives(bench, Load.Window.UNMETERED, node, limited);
                    var without = new ArrayList<Result>();
                    var beside = new ArrayList<Result>();
                    var with = new ArrayList<Result>();
                    for (int turn = 1; turn <= TURNS; turn++) {
                        without.add(bench.add(measured(bench, database, node, one)));
                        beside.add(bench.add(measured(bench, database, node, several)));
                        with.add(measured(bench, database, node, limited));
                        bench.add(
                                with.getLast()
                                        .with("of " + one.name(), pace(with) / pace(without))
                                        .with("of " + several.name(), pace(with) / pace(beside)));
                    }
                });
    }

    private static double pace(List<Result> results) {
        return results.stream().mapToDouble(Result::perSecond).sum();
    }

    private static List<String> register(ServerProgram node, String name) throws IOException {
        var keys = new ArrayList<String>();
        try (var client = new TaskClient(node.port(), node.key())) {
            while (keys.size() < ACCOUNTS) {
                keys.add(client.register(name + "-" + keys.size()));
            }
        }
        return keys;
    }

    private Result measured(Bench bench, Address database, ServerProgram node, Crew crew)
            throws Exception {
        CostMeter meter = bench.meter(database, List.of(node));
        Outcome outcome = lives(bench, meter, node, crew);
        return Result.of(name(), crew.name(), Result.LIFE_CYCLES, outcome, meter);
    }

    private static Outcome lives(Bench bench, Load.Window window, ServerProgram node, Crew crew)
            throws Exception {
        return bench.load(window)
                .closed(
                        CONNECTIONS,
                        number ->
                                Lives.single(
                                        node.port(),
                                        crew.keys().get(number % crew.keys().size()),
                                        Lives.TYPE));
    }
}
