package io.orchestrion.bench.scenario;

import io.orchestrion.bench.load.Latencies;
import io.orchestrion.bench.load.Load;
import io.orchestrion.bench.load.Load.Outcome;
import io.orchestrion.bench.load.TaskClient;
import io.orchestrion.bench.load.TaskClient.Held;
import io.orchestrion.bench.meter.CostMeter;
import io.orchestrion.bench.report.Result;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;

/// Lives as they are: some tasks are for later, some attempts fail and are retried, some holders
/// renew their lease before they are done.
final class MixedScenario implements Scenario {
    private static final int CONNECTIONS = 64;
    private static final int SCHEDULED_PERCENT = 10;
    private static final int FAILING_PERCENT = 10;
    private static final int RENEWING_PERCENT = 20;
    private static final Duration LATER = Duration.ofSeconds(2);

    @Override
    public String name() {
        return "mixed";
    }

    @Override
    public String about() {
        return "with tasks for later, failures, retries and renewals";
    }

    @Override
    public void run(Bench bench) throws Exception {
        bench.onServer(
                (database, node) -> {
                    CostMeter meter = bench.meter(database, List.of(node));
                    // By the database's clock, as that is the one that says when a task is due.
                    Instant startedAt = bench.lab().now();
                    long startedNanos = System.nanoTime();
                    Outcome outcome =
                            bench.load(meter)
                                    .closed(
                                            CONNECTIONS,
                                            number ->
                                                    new Mixed(
                                                            new TaskClient(node.port(), node.key()),
                                                            new Random(number),
                                                            startedAt,
                                                            startedNanos));
                    bench.add(
                            Result.of(
                                    name(),
                                    CONNECTIONS + " connections",
                                    Result.LIFE_CYCLES,
                                    outcome,
                                    meter));
                });
    }

    private record Mixed(TaskClient client, Random random, Instant startedAt, long startedNanos)
            implements Load.Worker {
        @Override
        public int step(Latencies into, long dueNanos) throws IOException {
            client.create(Lives.TYPE, happens(SCHEDULED_PERCENT) ? later() : "");
            into.record("create", dueNanos);
            long claiming = System.nanoTime();
            Held held = client.claim(Lives.TYPE, 0);
            into.record("claim", claiming);
            if (held == null) {
                return 0;
            }
            if (happens(RENEWING_PERCENT)) {
                long renewing = System.nanoTime();
                client.heartbeat(held);
                into.record("heartbeat", renewing);
            }
            long ending = System.nanoTime();
            if (happens(FAILING_PERCENT)) {
                client.fail(held);
                into.record("fail", ending);
                return 0;
            }
            client.complete(held);
            into.record("complete", ending);
            return 1;
        }

        private boolean happens(int percent) {
            return random.nextInt(100) < percent;
        }

        private String later() {
            Instant now = startedAt.plusNanos(System.nanoTime() - startedNanos);
            return ",\"scheduledAt\":\"" + now.plus(LATER).truncatedTo(ChronoUnit.MILLIS) + "\"";
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
