package io.orchestrion.bench.scenario;

import io.orchestrion.bench.StoreSql.Address;
import io.orchestrion.bench.load.ExecutionClient;
import io.orchestrion.bench.load.Load;
import io.orchestrion.bench.load.Load.Outcome;
import io.orchestrion.bench.load.Load.Window;
import io.orchestrion.bench.meter.CostMeter;
import io.orchestrion.bench.report.Result;
import io.orchestrion.tools.ServerProgram;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Executions of orchestrations, whose steps workers do over HTTP.
final class WorkflowScenario implements Scenario {
    private static final int CONNECTIONS = 64;
    private static final int TURNS = 2;
    private static final int STEPS = 10;

    @Override
    public String name() {
        return "workflow";
    }

    @Override
    public String about() {
        return "executions: of one step, ten and none; step to step; asleep; with a long history";
    }

    @Override
    public void run(Bench bench) throws Exception {
        bench.onServer(
                (database, node) -> {
                    besideTasks(bench, database, node);
                    String ten = published(node, Workflows.steps(STEPS));
                    bench.add(
                            measured(
                                    bench,
                                    database,
                                    node,
                                    "ten steps in a row",
                                    _ -> new WorkflowLife(node, ten, STEPS)));
                    String none = published(node, Workflows.decisionAndWait());
                    bench.add(
                            measured(
                                    bench,
                                    database,
                                    node,
                                    "a decision and a wait of 0",
                                    _ -> WorkflowLife.atOnce(node, none)));
                    Outcome outcome =
                            bench.load(Window.UNMETERED)
                                    .blocking(1, () -> new StepToStep(node, ten, STEPS));
                    bench.add(Result.of(name(), "a waiting worker", "steps/s", outcome, null));
                    bench.add(LongHistory.measured(bench, node, name()));
                    bench.add(Asleep.measured(bench, node, name()));
                });
    }

    /// Executions of one step and tasks that are nobody's step, in turns on one server: what an
    /// execution costs beside the work itself.
    private void besideTasks(Bench bench, Address database, ServerProgram node) throws Exception {
        String one = published(node, Workflows.steps(1));
        Load.Workers tasks = _ -> Lives.single(node.port(), node.key(), Lives.TYPE);
        // Whoever comes first would meet a server that is still being compiled.
        bench.load(Window.UNMETERED).closed(CONNECTIONS, tasks);
        var without = new ArrayList<Result>();
        var with = new ArrayList<Result>();
        for (int turn = 1; turn <= TURNS; turn++) {
            without.add(bench.add(measured(bench, database, node, "tasks beside it", tasks)));
            with.add(
                    measured(
                            bench,
                            database,
                            node,
                            "one step",
                            _ -> new WorkflowLife(node, one, 1)));
            bench.add(with.getLast().with("of tasks", pace(with) / pace(without)));
        }
    }

    private static double pace(List<Result> results) {
        return results.stream().mapToDouble(Result::perSecond).sum();
    }

    private Result measured(
            Bench bench, Address database, ServerProgram node, String row, Load.Workers workers)
            throws Exception {
        CostMeter meter = bench.meter(database, List.of(node));
        Outcome outcome = bench.load(meter).closed(CONNECTIONS, workers);
        return Result.of(name(), row, Result.LIFE_CYCLES, outcome, meter);
    }

    /// The id of a definition that can be executed.
    static String published(ServerProgram node, String document) throws IOException {
        try (var client = new ExecutionClient(node.port(), node.key())) {
            return client.publish(document);
        }
    }
}
