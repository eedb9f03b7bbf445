package io.orchestrion.bench.scenario;

import io.orchestrion.bench.HistorySql;
import io.orchestrion.bench.StoreSql;
import io.orchestrion.bench.StoreSql.Address;
import io.orchestrion.bench.load.Load;
import io.orchestrion.bench.load.Load.Outcome;
import io.orchestrion.bench.meter.CostMeter;
import io.orchestrion.bench.report.Result;
import io.orchestrion.tools.ServerProgram;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/// The same load on an empty store, and with millions of finished tasks in it.
final class HistoryScenario implements Scenario {
    private static final int CONNECTIONS = 64;
    private static final List<String> GROWING = List.of("work", "event_chunk");

    @Override
    public String name() {
        return "history";
    }

    @Override
    public String about() {
        return "with many finished tasks in store";
    }

    @Override
    public void run(Bench bench) throws Exception {
        bench.onServer(
                (database, node) -> {
                    Outcome empty =
                            measure(bench, database, node, bench::warmLoad, "little in store");
                    long rows = bench.scale().history();
                    HistorySql.fill(database, rows, bench::say);
                    bench.say("  putting the tables in order");
                    StoreSql.settle(database);
                    StoreSql.awaitStatistics();
                    Map<String, Long> scansBefore = HistorySql.sequentialScans(database);
                    Outcome full =
                            measure(
                                    bench,
                                    database,
                                    node,
                                    bench::load,
                                    String.format(Locale.ROOT, "%,d in store", rows));
                    StoreSql.awaitStatistics();
                    Map<String, Long> scans = HistorySql.sequentialScans(database);
                    scans.replaceAll((table, count) -> count - scansBefore.getOrDefault(table, 0L));
                    scans.values().removeIf(count -> count == 0);
                    scans.forEach(
                            (table, count) ->
                                    bench.say("  " + count + " sequential scans of " + table));
                    bench.add(
                            new Result(
                                            name(),
                                            "full against empty",
                                            full.perSecond() / empty.perSecond(),
                                            "of the pace",
                                            Map.of(),
                                            null,
                                            Map.of())
                                    .with("claim p50", ratio(full, empty, "claim"))
                                    .with("complete p50", ratio(full, empty, "complete"))
                                    .with("sequential scans of work tables", of(scans)));
                });
    }

    /// The tables that grow with what was done; others hold a few rows, however much is in store.
    private static long of(Map<String, Long> scans) {
        return GROWING.stream().mapToLong(table -> scans.getOrDefault(table, 0L)).sum();
    }

    private static double ratio(Outcome full, Outcome empty, String verb) {
        return full.latencies().of(verb).p50() / empty.latencies().of(verb).p50();
    }

    private Outcome measure(
            Bench bench,
            Address database,
            ServerProgram node,
            Function<Load.Window, Load> load,
            String row)
            throws Exception {
        CostMeter meter = bench.meter(database, List.of(node));
        Outcome outcome =
                load.apply(meter)
                        .closed(
                                CONNECTIONS,
                                _ -> Lives.single(node.port(), node.key(), Lives.TYPE));
        bench.add(Result.of(name(), row, Result.LIFE_CYCLES, outcome, meter));
        return outcome;
    }
}
