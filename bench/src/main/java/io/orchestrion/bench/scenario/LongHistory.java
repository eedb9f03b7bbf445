package io.orchestrion.bench.scenario;

import io.orchestrion.bench.load.BlockingWorker;
import io.orchestrion.bench.load.ExecutionClient;
import io.orchestrion.bench.load.Held;
import io.orchestrion.bench.load.Latencies;
import io.orchestrion.bench.load.Load.Outcome;
import io.orchestrion.bench.load.Load.Window;
import io.orchestrion.bench.load.TaskClient;
import io.orchestrion.bench.report.Result;
import io.orchestrion.tools.ServerProgram;

import java.io.IOException;
import java.util.Objects;

/// Reading an execution with few attempts and with many, a page at a time.
final class LongHistory implements BlockingWorker {
    private static final int STEPS = 10;
    private static final int PAGE = 50;
    private static final int WAIT_SECONDS = 20;
    private static final String FEW = "the only page of few";
    private static final String FIRST = "first page of many";
    private static final String LAST = "last page of many";
    private static final String WHOLE_FEW = "execution of few";
    private static final String WHOLE_MANY = "execution of many";

    private final ExecutionClient client;
    private final String few;
    private final String many;
    private final String last;

    private LongHistory(ServerProgram node, String few, String many, String last)
            throws IOException {
        client = new ExecutionClient(node.port(), node.key());
        this.few = few;
        this.many = many;
        this.last = last;
    }

    static Result measured(Bench bench, ServerProgram node, String scenario) throws Exception {
        int attempts = bench.scale().attempts();
        String few = ended(node, 1, PAGE);
        String many = ended(node, STEPS, attempts);
        String last = cursorOfLast(node, many);
        Outcome outcome =
                bench.load(Window.UNMETERED)
                        .blocking(1, () -> new LongHistory(node, few, many, last));
        double one = outcome.latencies().of(FEW).p50();
        return Result.of(
                        scenario,
                        "history of %,d attempts".formatted(STEPS * attempts),
                        "rounds of reads/s",
                        outcome,
                        null)
                .with(
                        "p50 of its last page/only page of 50",
                        outcome.latencies().of(LAST).p50() / one);
    }

    /// An execution of so many steps, each of which succeeded at its last attempt.
    private static String ended(ServerProgram node, int steps, int attempts) throws IOException {
        String definition = WorkflowScenario.published(node, Workflows.failing(steps, attempts));
        try (var executions = new ExecutionClient(node.port(), node.key());
                var tasks = new TaskClient(node.port(), node.key())) {
            String id = executions.start(definition, "\"status\":\"running\"");
            for (int step = 0; step < steps; step++) {
                for (int attempt = 1; attempt < attempts; attempt++) {
                    tasks.failForNow(claimed(tasks));
                }
                tasks.complete(claimed(tasks));
            }
            if (!executions.status(id).equals("succeeded")) {
                throw new IllegalStateException("execution " + id + " has not succeeded");
            }
            return id;
        }
    }

    private static Held claimed(TaskClient tasks) throws IOException {
        return Objects.requireNonNull(
                tasks.claim(Workflows.FAILING_TYPE, WAIT_SECONDS), "a claim waited in vain");
    }

    private static String cursorOfLast(ServerProgram node, String execution) throws IOException {
        try (var client = new ExecutionClient(node.port(), node.key())) {
            String cursor = "";
            String next = client.steps(execution, PAGE, cursor);
            while (next != null) {
                cursor = next;
                next = client.steps(execution, PAGE, cursor);
            }
            return cursor;
        }
    }

    @Override
    public int step(Latencies into) throws Exception {
        read(into, FEW, few, "");
        read(into, FIRST, many, "");
        read(into, LAST, many, last);
        long began = System.nanoTime();
        client.get(few);
        into.record(WHOLE_FEW, began);
        began = System.nanoTime();
        client.get(many);
        into.record(WHOLE_MANY, began);
        return 1;
    }

    private void read(Latencies into, String name, String execution, String cursor)
            throws IOException {
        long began = System.nanoTime();
        client.steps(execution, PAGE, cursor);
        into.record(name, began);
    }

    @Override
    public void close() {
        client.close();
    }
}
