package io.orchestrion.bench.scenario;

import io.orchestrion.bench.load.Abuse;
import io.orchestrion.bench.load.Steady;
import io.orchestrion.bench.load.TaskClient;
import io.orchestrion.bench.load.TaskRequests;
import io.orchestrion.bench.report.Result;
import io.orchestrion.tools.ServerProgram;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/// One account at its worst, and then a database in trouble, beside an account that goes on at its
/// pace: how long that one waits, what it is told, and how soon all is as before without a hand.
final class TroubleScenario implements Scenario {
    private static final int STEADY = 4;
    private static final long EVERY_MS = 100;
    private static final int KILLS = 9;
    private static final Duration KILLED_WITHIN = Duration.ofSeconds(10);
    private static final Duration FULL_FOR = Duration.ofSeconds(75);
    private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(120);
    private static final String SLOW_PATTERN = "^(([a-z])+.)+[A-Z]([a-z])+$";
    private static final int SERVER_FAULT = 500;

    @Override
    public String name() {
        return "trouble";
    }

    @Override
    public String about() {
        return "an account at its worst and a database in trouble, beside an account that goes on";
    }

    @Override
    public void run(Bench bench) throws Exception {
        Path data = bench.lab().folder().resolve("trouble");
        try (var volume = new SmallVolume(data);
                ServerProgram node = bench.lab().startAlone(data)) {
            new Play(bench, node, data, volume).run();
        }
    }

    private static final class Play {
        private final Bench bench;
        private final TaskRequests requests;
        private final Path data;
        private final SmallVolume volume;
        private final String abuser;
        private final List<Steady> neighbours = new ArrayList<>();
        private long lookedAt = System.nanoTime();

        Play(Bench bench, ServerProgram node, Path data, SmallVolume volume) throws IOException {
            this.bench = bench;
            this.data = data;
            this.volume = volume;
            try (var client = new TaskClient(node.port(), node.key())) {
                this.abuser = client.register("abuser");
                this.requests = new TaskRequests(node.port(), client.register("neighbour"));
            }
            for (int i = 0; i < STEADY; i++) {
                neighbours.add(new Steady(requests, "steady-" + i, EVERY_MS));
            }
        }

        void run() throws Exception {
            List<Thread> threads =
                    neighbours.stream()
                            .map(each -> Thread.ofPlatform().daemon().start(each))
                            .toList();
            try {
                Thread.sleep(bench.scale().warmUp());
                look();
                Thread.sleep(bench.scale().counted());
                tell("nothing beside it", 0, 0);
                Abuse.put(
                        requests.port(),
                        abuser,
                        "/v1/types/slow",
                        "{\"payloadSchema\":{\"type\":\"object\",\"properties\":{\"text\":"
                                + "{\"type\":\"string\",\"pattern\":\""
                                + SLOW_PATTERN
                                + "\"}}}}");
                abuse("patterns of schemas", batch("slow", 30, 5_000), 4);
                abuse("batches of 7.9 MB", batch("large", 100, 79_000), 60);
                trouble("database stopped", () -> signal("INT"));
                trouble("database killed 9 times", this::killAgainAndAgain);
                if (volume.small()) {
                    trouble("disk full", this::fillTheDisk);
                } else {
                    bench.say("disk full: left out, because a small volume cannot be mounted here");
                }
            } finally {
                neighbours.forEach(Steady::stop);
                for (Thread thread : threads) {
                    thread.join();
                }
            }
        }

        private static String batch(String type, int tasks, int letters) {
            String task =
                    "{\"type\":\""
                            + type
                            + "\",\"payload\":{\"text\":\""
                            + "a".repeat(letters)
                            + "\"}}";
            return "{\"tasks\":[" + String.join(",", Collections.nCopies(tasks, task)) + "]}";
        }

        private void abuse(String row, String body, int connections) throws Exception {
            look();
            long faults;
            long asked;
            try (var abuse =
                    new Abuse(requests.port(), abuser, "/v1/tasks/batch", body, connections)) {
                Thread.sleep(bench.scale().counted());
                faults = abuse.of(SERVER_FAULT);
                asked = abuse.all();
            }
            tell(row, faults, asked);
        }

        private interface Cause {
            void run() throws Exception;
        }

        /// Two rows: while it lasts, where a database that is away cannot answer, and after it.
        private void trouble(String row, Cause cause) throws Exception {
            look();
            cause.run();
            long gone = System.nanoTime();
            while (!neighbours.stream().allMatch(each -> each.livedSince(gone))) {
                if (System.nanoTime() - gone > LONGEST_RECOVERY.toNanos()) {
                    throw new IOException(row + ": the server did not come back");
                }
                Thread.sleep(10);
            }
            double seconds = (System.nanoTime() - gone) / 1e9;
            bench.add(result(row).with("back after s", seconds));
            Thread.sleep(bench.scale().counted());
            tell("after it", 0, 0);
        }

        private void killAgainAndAgain() throws Exception {
            for (int i = 0; i < KILLS; i++) {
                signal("KILL");
                Thread.sleep(KILLED_WITHIN.dividedBy(KILLS));
            }
        }

        /// To the database's first process, where there is one at that moment.
        private void signal(String name) throws Exception {
            Path file = data.resolve("pg").resolve("postmaster.pid");
            if (!Files.exists(file)) {
                return;
            }
            List<String> lines = Files.readAllLines(file);
            if (!lines.isEmpty()) {
                new ProcessBuilder("kill", "-" + name, lines.getFirst().strip()).start().waitFor();
            }
        }

        private void fillTheDisk() throws Exception {
            try (var _ = volume.filled()) {
                Thread.sleep(FULL_FOR);
            }
        }

        private List<Steady.Seen> look() {
            lookedAt = System.nanoTime();
            return neighbours.stream().map(Steady::look).toList();
        }

        private Result result(String row) {
            long since = lookedAt;
            List<Steady.Seen> seen = look();
            var latencies = Steady.together(seen);
            long all = seen.stream().mapToLong(Steady.Seen::all).sum();
            long good = seen.stream().mapToLong(Steady.Seen::good).sum();
            return new Result(
                            "trouble",
                            row,
                            good * 1e9 / (lookedAt - since),
                            "good answers/s",
                            latencies.percentiles(),
                            null,
                            Map.of())
                    .with("% good", 100.0 * good / Math.max(1, all))
                    .with("answered 500", seen.stream().mapToLong(Steady.Seen::faults).sum());
        }

        private void tell(String row, long faults, long asked) {
            Result result = result(row);
            bench.add(
                    asked == 0
                            ? result
                            : result.with("requests beside it", asked)
                                    .with("of these answered 500", faults));
        }
    }
}
