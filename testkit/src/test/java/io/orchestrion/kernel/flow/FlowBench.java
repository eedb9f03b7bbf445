package io.orchestrion.kernel.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.db.StoreClock;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Terms;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/// What limits cost: the same claims and completions for a type without a limit, with a limit on
/// slots and with one on starts, in turns within one run. Only ratios of one run mean anything. Not
/// part of the build: docs/guides/flow-control.md says how to run it.
class FlowBench {
    private static final int TASKS = Integer.getInteger("flow.tasks", 6000);
    private static final int WORKERS = Integer.getInteger("flow.workers", 64);
    private static final int ROUNDS = Integer.getInteger("flow.rounds", 3);
    private static final int KEYS = 1000;

    private record Way(String name, Consumer<FlowFixture> limit, IntFunction<Terms> terms) {}

    private static final List<Way> WAYS =
            List.of(
                    new Way("no limit", _ -> {}, i -> FlowFixture.keys("k" + i % KEYS, null)),
                    new Way(
                            "concurrency, 1000 keys",
                            flow -> flow.concurrency(Profiles.TASKS, 4),
                            i -> FlowFixture.keys("k" + i % KEYS, null)),
                    new Way(
                            "rate, 1000 keys",
                            flow -> flow.rate(100_000, Duration.ofSeconds(60)),
                            i -> FlowFixture.keys(null, "k" + i % KEYS)));

    @Test
    void measure() {
        var rates = new ArrayList<List<Double>>();
        WAYS.forEach(_ -> rates.add(new ArrayList<>()));
        for (int round = 0; round <= ROUNDS; round++) {
            for (int way = 0; way < WAYS.size(); way++) {
                double rate = tasksPerSecond(WAYS.get(way));
                // The first round warms up.
                if (round > 0) {
                    rates.get(way).add(rate);
                }
            }
        }
        double plain = median(rates.getFirst());
        for (int way = 0; way < WAYS.size(); way++) {
            double rate = median(rates.get(way));
            System.out.printf(
                    "%-25s %7.0f tasks/s  %.2f of no limit  (rounds %s)%n",
                    WAYS.get(way).name(),
                    rate,
                    rate / plain,
                    rates.get(way).stream().map(Math::round).toList());
        }
    }

    private static double median(List<Double> rates) {
        return rates.stream().sorted(Comparator.naturalOrder()).toList().get(rates.size() / 2);
    }

    private static double tasksPerSecond(Way way) {
        try (var flow = new FlowFixture(options -> options.withClock(StoreClock.DATABASE))) {
            way.limit().accept(flow);
            for (int i = 0; i < TASKS; i += 500) {
                int from = i;
                flow.submitAll(500, n -> way.terms().apply(from + n));
            }
            var done = new AtomicInteger();
            long start = System.nanoTime();
            Parallel.run(
                    WORKERS,
                    i ->
                            () -> {
                                while (done.get() < TASKS) {
                                    for (WorkItem item : flow.claim(1)) {
                                        flow.complete(flow.kernel(), item);
                                        done.incrementAndGet();
                                    }
                                }
                                return i;
                            });
            double seconds = (System.nanoTime() - start) / 1e9;
            assertThat(done).hasValue(TASKS);
            return TASKS / seconds;
        }
    }
}
