package io.orchestrion.bench.scenario;

import io.orchestrion.bench.StoreSql.Address;
import io.orchestrion.bench.load.Load;
import io.orchestrion.bench.load.Load.Outcome;
import io.orchestrion.bench.load.Load.Window;
import io.orchestrion.bench.meter.CostMeter;
import io.orchestrion.bench.report.Result;
import io.orchestrion.tools.ServerProgram;

import java.util.ArrayList;
import java.util.List;

/// Runs of agents, whose steps workers do over HTTP.
final class RunsScenario implements Scenario {
    private static final int CONNECTIONS = 64;
    private static final int TURNS = 2;
    private static final int AGENTS = 10;
    private static final int TASKS = 3;
    private static final int STEPS = 2;
    private static final int ALL = AGENTS * TASKS * STEPS;

    /// More than its steps cost without tokens of their own.
    private static final long TOKENS = 1_000;

    @Override
    public String name() {
        return "runs";
    }

    @Override
    public String about() {
        return "steps of runs beside tasks; one run of many steps";
    }

    @Override
    public void run(Bench bench) throws Exception {
        bench.onServer(
                (database, node) -> {
                    besideTasks(bench, database, node);
                    bench.add(LargeRun.measured(bench, node, name()));
                });
    }

    /// Steps of runs and tasks that are nobody's step, in turns on one server: what a run costs
    /// beside the work itself.
    private void besideTasks(Bench bench, Address database, ServerProgram node) throws Exception {
        String plan = RunPlans.inRows(AGENTS, TASKS, STEPS);
        Load.Workers tasks = _ -> Lives.single(node.port(), node.key(), Lives.TYPE);
        Load.Workers steps = number -> new RunLife(node, plan, ALL, TOKENS, first(number));
        // Whoever comes first would meet a server that is still being compiled.
        bench.load(Window.UNMETERED).closed(CONNECTIONS, tasks);
        var without = new ArrayList<Result>();
        var with = new ArrayList<Result>();
        for (int turn = 1; turn <= TURNS; turn++) {
            without.add(
                    bench.add(
                            measured(
                                    bench,
                                    database,
                                    node,
                                    "tasks beside it",
                                    Result.LIFE_CYCLES,
                                    tasks)));
            with.add(
                    measured(
                            bench,
                            database,
                            node,
                            "%d agents, %d tasks, %d steps".formatted(AGENTS, TASKS, STEPS),
                            "steps/s",
                            steps));
            bench.add(with.getLast().with("of tasks", pace(with) / pace(without)));
        }
    }

    /// A sixth of the connections start a run at once, and the others at other times.
    private static int first(int connection) {
        return connection % 6 == 0 ? 0 : connection * ALL / CONNECTIONS;
    }

    private static double pace(List<Result> results) {
        return results.stream().mapToDouble(Result::perSecond).sum();
    }

    private Result measured(
            Bench bench,
            Address database,
            ServerProgram node,
            String row,
            String unit,
            Load.Workers workers)
            throws Exception {
        CostMeter meter = bench.meter(database, List.of(node));
        Outcome outcome = bench.load(meter).closed(CONNECTIONS, workers);
        return Result.of(name(), row, unit, outcome, meter);
    }
}
