package io.orchestrion.bench.scenario;

import io.orchestrion.bench.load.Answer;
import io.orchestrion.bench.load.Done;
import io.orchestrion.bench.load.Held;
import io.orchestrion.bench.load.Load.Outcome;
import io.orchestrion.bench.load.Next;
import io.orchestrion.bench.load.Request;
import io.orchestrion.bench.load.TaskRequests;
import io.orchestrion.bench.load.Worker;
import io.orchestrion.bench.meter.CostMeter;
import io.orchestrion.bench.report.Result;

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
                                                            new TaskRequests(
                                                                    node.port(), node.key()),
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

    private static final class Mixed implements Worker {
        private enum Awaited {
            CREATED,
            CLAIMED,
            RENEWED,
            COMPLETED,
            FAILED
        }

        private final TaskRequests requests;
        private final Random random;
        private final Instant startedAt;
        private final long startedNanos;
        private final Request create;
        private final Request claim;
        private final Request heartbeat;
        private final Request complete;
        private final Request fail;
        private Awaited awaited = Awaited.CREATED;

        Mixed(TaskRequests requests, Random random, Instant startedAt, long startedNanos) {
            this.requests = requests;
            this.random = random;
            this.startedAt = startedAt;
            this.startedNanos = startedNanos;
            create = requests.create(Lives.TYPE);
            claim = requests.claim(Lives.TYPE);
            heartbeat = requests.heartbeat();
            complete = requests.complete();
            fail = requests.fail();
        }

        @Override
        public int port() {
            return requests.port();
        }

        @Override
        public Request begin() {
            awaited = Awaited.CREATED;
            return happens(SCHEDULED_PERCENT) ? requests.create(Lives.TYPE, later()) : create;
        }

        @Override
        public Next answered(Answer answer) {
            return switch (awaited) {
                case CREATED -> {
                    awaited = Awaited.CLAIMED;
                    yield claim;
                }
                case CLAIMED -> {
                    Held held = answer.held();
                    yield held == null ? Done.NOTHING : work(held);
                }
                case RENEWED -> end();
                case COMPLETED -> Done.ONE;
                case FAILED -> Done.NOTHING;
            };
        }

        private Request work(Held held) {
            heartbeat.name(0, held);
            complete.name(0, held);
            fail.name(0, held);
            if (!happens(RENEWING_PERCENT)) {
                return end();
            }
            awaited = Awaited.RENEWED;
            return heartbeat;
        }

        private Request end() {
            boolean fails = happens(FAILING_PERCENT);
            awaited = fails ? Awaited.FAILED : Awaited.COMPLETED;
            return fails ? fail : complete;
        }

        private boolean happens(int percent) {
            return random.nextInt(100) < percent;
        }

        private String later() {
            Instant now = startedAt.plusNanos(System.nanoTime() - startedNanos);
            return ",\"scheduledAt\":\"" + now.plus(LATER).truncatedTo(ChronoUnit.MILLIS) + "\"";
        }
    }
}
