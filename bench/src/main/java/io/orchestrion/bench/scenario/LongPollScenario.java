package io.orchestrion.bench.scenario;

import io.orchestrion.bench.load.BlockingWorker;
import io.orchestrion.bench.load.Held;
import io.orchestrion.bench.load.Latencies;
import io.orchestrion.bench.load.Load;
import io.orchestrion.bench.load.TaskClient;
import io.orchestrion.bench.meter.ProcessUsage;
import io.orchestrion.bench.report.Result;
import io.orchestrion.tools.ServerProgram;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// From the create going out to the waiting claim's answer, on a quiet server; and what those who
/// wait in vain cost.
final class LongPollScenario implements Scenario {
    private static final int WAIT_SECONDS = 20;

    /// Long enough for the claim to be waiting when the task comes.
    private static final long BEFORE_MS = 15;

    @Override
    public String name() {
        return "longpoll";
    }

    @Override
    public String about() {
        return "a claim that waits: from create to its answer, and idle waiters";
    }

    @Override
    public void run(Bench bench) throws Exception {
        bench.onServer(
                (database, node) -> {
                    pickUp(bench, "same node", node, node);
                    try (ServerProgram other = bench.lab().start(database)) {
                        pickUp(bench, "created on another node", other, node);
                    }
                    idle(bench, node);
                });
    }

    private void pickUp(Bench bench, String row, ServerProgram creates, ServerProgram claims)
            throws Exception {
        Load.Outcome outcome =
                bench.load(Load.Window.UNMETERED).blocking(1, () -> new PickUp(creates, claims));
        bench.add(Result.of(name(), row, "pick-ups/s", outcome, null));
    }

    /// Waits in threads of its own: there is one at a time, and its answer is timed where it comes.
    private static final class PickUp implements BlockingWorker {
        private final TaskClient producer;
        private final TaskClient claimer;
        private final ExecutorService waiting = Executors.newSingleThreadExecutor();

        PickUp(ServerProgram creates, ServerProgram claims) throws Exception {
            producer = new TaskClient(creates.port(), creates.key());
            claimer = new TaskClient(claims.port(), claims.key());
        }

        private record Answered(Held held, long atNanos) {}

        @Override
        public int step(Latencies into) throws Exception {
            Future<Answered> claim =
                    waiting.submit(
                            () -> {
                                Held held = claimer.claim(Lives.TYPE, WAIT_SECONDS);
                                return new Answered(
                                        Objects.requireNonNull(held, "a claim waited in vain"),
                                        System.nanoTime());
                            });
            Thread.sleep(BEFORE_MS);
            long sent = System.nanoTime();
            producer.create(Lives.TYPE);
            Answered answered = claim.get();
            into.record("pick-up", System.nanoTime() - (answered.atNanos() - sent));
            claimer.complete(answered.held());
            return 1;
        }

        @Override
        public void close() {
            waiting.shutdownNow();
            producer.close();
            claimer.close();
        }
    }

    private void idle(Bench bench, ServerProgram node) throws Exception {
        int waiters = bench.scale().waiters();
        var waiting = new CountDownLatch(waiters);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all =
                    java.util.stream.IntStream.range(0, waiters)
                            .<Future<?>>mapToObj(
                                    _ ->
                                            threads.submit(
                                                    () -> {
                                                        await(node, waiting);
                                                        return null;
                                                    }))
                            .toList();
            waiting.await();
            // Until the last of them has been looked at once.
            Thread.sleep(Math.min(bench.scale().counted().toMillis(), 2000));
            double server = ProcessUsage.cpuSeconds(node.pid());
            double store = ProcessUsage.cpuSecondsOfTree(bench.lab().postgresPid());
            long began = System.nanoTime();
            Thread.sleep(Math.min(bench.scale().counted().toMillis(), 15_000));
            double seconds = (System.nanoTime() - began) / 1e9;
            bench.add(
                    new Result(
                                    name(),
                                    waiters + " idle waiters",
                                    waiters,
                                    "connections",
                                    Map.of(),
                                    null,
                                    Map.of())
                            .with(
                                    "server % of a core",
                                    (ProcessUsage.cpuSeconds(node.pid()) - server) * 100 / seconds)
                            .with(
                                    "database % of a core",
                                    (ProcessUsage.cpuSecondsOfTree(bench.lab().postgresPid())
                                                    - store)
                                            * 100
                                            / seconds));
            all.forEach(each -> each.cancel(true));
        }
    }

    private static void await(ServerProgram node, CountDownLatch waiting) throws Exception {
        try (var client = new TaskClient(node.port(), node.key())) {
            waiting.countDown();
            client.claim("never", WAIT_SECONDS);
        }
    }
}
