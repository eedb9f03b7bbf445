package io.orchestrion.bench.scenario;

import io.orchestrion.bench.load.Held;
import io.orchestrion.bench.load.Latencies;
import io.orchestrion.bench.load.Load.Outcome;
import io.orchestrion.bench.load.RunClient;
import io.orchestrion.bench.load.TaskClient;
import io.orchestrion.bench.report.Result;
import io.orchestrion.tools.ServerProgram;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/// One run of many steps: whether it comes to its end, whether its last steps take as long as its
/// first, and what it takes to read all of it.
final class LargeRun {
    private static final int AGENTS = 10;
    private static final int WORKERS = 16;
    private static final int WAIT_SECONDS = 1;
    private static final int PARTS = 4;
    private static final int PAGE = 100;
    private static final long TOKENS_A_STEP = 100;

    private LargeRun() {}

    static Result measured(Bench bench, ServerProgram node, String scenario) throws Exception {
        int steps = bench.scale().attempts();
        int tasks = Math.max(1, steps / AGENTS);
        int all = AGENTS * tasks * steps;
        try (var runs = new RunClient(node.port(), node.key())) {
            String run = runs.started(RunPlans.atOnce(AGENTS, tasks, steps), TOKENS_A_STEP * all);
            long began = System.nanoTime();
            long[] parts = work(node, all, began);
            String status = runs.status(run);
            if (!status.equals("completed")) {
                throw new IllegalStateException(run + " is " + status + " after all of its steps");
            }
            var latencies = new Latencies();
            long reading = System.nanoTime();
            int seen = read(runs, run, latencies);
            if (seen != all) {
                throw new IllegalStateException(run + " shows " + seen + " of " + all + " steps");
            }
            double first = parts[0] - began;
            double last = parts[PARTS - 1] - parts[PARTS - 2];
            return Result.of(
                            scenario,
                            "one run of %,d steps".formatted(all),
                            "steps/s",
                            new Outcome(all, (parts[PARTS - 1] - began) / 1e9, latencies),
                            null)
                    .with("time of its last quarter/first", last / first)
                    .with("s to read all of it", (System.nanoTime() - reading) / 1e9);
        }
    }

    /// When each part of the steps was done.
    private static long[] work(ServerProgram node, int all, long began) throws Exception {
        var done = new AtomicInteger();
        var parts = new AtomicLongArray(PARTS);
        try (var threads = Executors.newFixedThreadPool(WORKERS)) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                running.add(threads.submit(() -> work(node, all, done, parts)));
            }
            for (Future<?> each : running) {
                each.get();
            }
        }
        var times = new long[PARTS];
        for (int i = 0; i < PARTS; i++) {
            times[i] = Math.max(began, parts.get(i));
        }
        return times;
    }

    private static Void work(ServerProgram node, int all, AtomicInteger done, AtomicLongArray parts)
            throws IOException {
        try (var tasks = new TaskClient(node.port(), node.key())) {
            while (done.get() < all) {
                Held held = tasks.claim(RunPlans.LARGE_TOOL, WAIT_SECONDS);
                if (held != null) {
                    tasks.complete(held);
                    int now = done.incrementAndGet();
                    for (int part = 1; part <= PARTS; part++) {
                        if (now == all * part / PARTS) {
                            parts.set(part - 1, System.nanoTime());
                        }
                    }
                }
            }
        }
        return null;
    }

    private static int read(RunClient runs, String run, Latencies into) throws IOException {
        int steps = 0;
        for (String agent : runs.all("page of agents", run, "/agents", PAGE, into)) {
            String tasks = "/agents/" + agent + "/tasks";
            for (String task : runs.all("page of tasks", run, tasks, PAGE, into)) {
                steps +=
                        runs.all("page of steps", run, "/tasks/" + task + "/steps", PAGE, into)
                                .size();
            }
        }
        return steps;
    }
}
