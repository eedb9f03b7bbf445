package io.orchestrion.bench.scenario;

import io.orchestrion.bench.load.BlockingWorker;
import io.orchestrion.bench.load.ExecutionClient;
import io.orchestrion.bench.load.Held;
import io.orchestrion.bench.load.Latencies;
import io.orchestrion.bench.load.TaskClient;
import io.orchestrion.tools.ServerProgram;

import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Executions one after the other, each of whose steps is awaited by one worker while another
/// completes the step before.
final class StepToStep implements BlockingWorker {
    /// From the answer to a complete to the answer to the claim of the next step.
    static final String ANSWERED = "step to step, from the answer";

    /// The same from when the complete goes out: what somebody who looks on waits in all.
    static final String SENT = "step to step, from the request";

    private static final int WAIT_SECONDS = 20;

    /// Long enough for the claim to be waiting when the step comes.
    private static final long BEFORE_MS = 15;

    private final ExecutionClient starter;
    private final TaskClient completer;
    private final TaskClient claimer;
    private final String definition;
    private final int steps;
    private final ExecutorService waiting = Executors.newSingleThreadExecutor();

    StepToStep(ServerProgram node, String definition, int steps) throws Exception {
        starter = new ExecutionClient(node.port(), node.key());
        completer = new TaskClient(node.port(), node.key());
        claimer = new TaskClient(node.port(), node.key());
        this.definition = definition;
        this.steps = steps;
    }

    private record Answered(Held held, long atNanos) {}

    private Answered claim() throws Exception {
        Held held = claimer.claim(Workflows.TYPE, WAIT_SECONDS);
        return new Answered(
                Objects.requireNonNull(held, "a claim waited in vain"), System.nanoTime());
    }

    @Override
    public int step(Latencies into) throws Exception {
        starter.start(definition, "\"status\":\"running\"");
        Held held = claim().held();
        for (int i = 1; i < steps; i++) {
            Future<Answered> claim = waiting.submit(this::claim);
            Thread.sleep(BEFORE_MS);
            long sent = System.nanoTime();
            completer.complete(held);
            long answered = System.nanoTime();
            Answered next = claim.get();
            // The claim may be answered first: both answers follow from one commit.
            long between = Math.max(0, next.atNanos() - answered);
            into.record(ANSWERED, System.nanoTime() - between);
            into.record(SENT, System.nanoTime() - (next.atNanos() - sent));
            held = next.held();
        }
        completer.complete(held);
        return steps - 1;
    }

    @Override
    public void close() {
        waiting.shutdownNow();
        starter.close();
        completer.close();
        claimer.close();
    }
}
